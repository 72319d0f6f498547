"""Values and rules: pure, without clock, network or file."""
