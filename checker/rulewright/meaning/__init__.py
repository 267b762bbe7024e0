"""What a tree means: names resolved, types checked, and the small typed core the rest reads."""
