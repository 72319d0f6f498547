"""Off, on, erased: everything that a user has goes, whatever was in flight and wherever the process dies."""
