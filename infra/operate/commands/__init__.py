"""One module per command: `HELP`, `add(parser)` for its arguments, `run(arguments, target)` for its exit code."""
