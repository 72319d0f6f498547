"""The dead letters: notices of turns that were given up, and doorbells that came back until SQS lost patience."""
