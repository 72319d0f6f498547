"""What every stored change goes through, whoever makes it: the base, the object, the transaction."""
