"""Open files: their text, their places, what is known of them."""
