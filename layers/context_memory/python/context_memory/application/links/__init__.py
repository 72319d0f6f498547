"""Links between channels and users, and what moves with them."""
