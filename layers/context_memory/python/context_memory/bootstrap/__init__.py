"""The one place that picks adapters. Each function builds what it needs, once, while its environment starts.

Imports stand inside the functions that need them: what load does not import, no user waits for.
"""
