"""What deploys the service: stacks, environments, layers, and the local environment. Never imports run-time code."""
