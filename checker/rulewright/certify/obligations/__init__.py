"""What the certifier has to show for each kind of claim."""
