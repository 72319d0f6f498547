"""One file per vendor; each fulfils protocols of `context_memory.ports`."""
