"""Merging old facts into fewer ones that say as much, and taking such a merge back."""
