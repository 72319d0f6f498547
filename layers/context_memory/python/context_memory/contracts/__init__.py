"""Shapes on the wire: HTTP requests and answers, problem documents, queue messages, events."""
