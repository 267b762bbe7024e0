"""The try page: a game to play in the reader's browser, by the rules that were checked."""
