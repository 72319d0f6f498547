"""What 1,000 turns cost, worked out from list prices; `docs/deploying.md` shows the table."""
