"""What a statement says: the tables of rules, one module per language, and the kinds that all languages share."""
