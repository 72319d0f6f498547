"""Building blocks of the stacks. A component defines resources from keyword-only values; stacks only compose them."""
