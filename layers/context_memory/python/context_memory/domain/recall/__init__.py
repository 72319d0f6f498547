"""How facts are found: the words that are looked for, the order of what is found, and how much of it is given."""
