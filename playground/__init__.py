"""The playground of the site: its page, and what puts it together with Python and z3."""
