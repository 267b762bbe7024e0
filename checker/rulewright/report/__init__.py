"""Shows what a command found: one renderer per output format, all reading one `Report`."""
