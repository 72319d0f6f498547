"""One stack per concern. Stacks share plain names (`infra.names`), never exports."""
