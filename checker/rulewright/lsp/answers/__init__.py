"""What each kind of request is answered with."""
