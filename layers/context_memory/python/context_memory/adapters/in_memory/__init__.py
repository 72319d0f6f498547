"""Twins of the real adapters that keep everything in memory and pass the same contract tests."""
