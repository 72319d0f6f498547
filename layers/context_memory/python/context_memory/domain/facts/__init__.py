"""The second memory: single facts, recalled for the question at hand."""
