"""From waiting turns to a stored profile."""
