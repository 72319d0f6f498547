"""What keeps the house in order: stranded turns, stray payloads and versions, redrives."""
