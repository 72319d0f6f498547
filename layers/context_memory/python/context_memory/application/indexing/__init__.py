"""What follows a write of facts: vectors of the model in force, and indexes that are kept outside of the store."""
