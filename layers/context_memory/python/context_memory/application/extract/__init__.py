"""From turns that ended to stored facts."""
