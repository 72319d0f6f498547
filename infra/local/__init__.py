"""The local environment: the very stacks that are shipped, on an emulator of AWS on this machine.

`python -m infra.local up|down|status` runs it; tests use `infra.local.environment.LocalEnvironment`.
"""
