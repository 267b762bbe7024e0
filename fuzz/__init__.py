"""Tools for developers that look for wrong answers and for inputs that break the program."""
