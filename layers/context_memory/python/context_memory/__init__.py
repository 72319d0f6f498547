"""Context Memory: one small readable memory for every user of a company's AI agents."""
