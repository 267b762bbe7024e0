"""What several commands report: tables, gates, files written whole."""
