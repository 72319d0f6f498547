"""Objects: profiles, payloads of turns, and who has payloads waiting."""
