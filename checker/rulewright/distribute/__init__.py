"""Where work is done: on this machine, on a cluster, or as one of several shards."""
