"""Playing recorded conversations: readers for three formats, one plan, one player."""
