"""A spec in other languages: what readers see of it, in catalogues that translators' tools know."""
