"""Bodies of routes that read them without Pydantic, because somebody waits: for the description alone."""
