"""Indexes over facts, kept in memory."""
