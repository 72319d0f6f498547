"""The commands of `context-memory`, one module each: `add` describes its arguments, `run` does it."""
