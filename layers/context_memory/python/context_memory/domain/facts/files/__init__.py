"""Files of facts that people bring along. A line that cannot be read is told by its place, and stops no other."""
