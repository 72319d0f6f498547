"""The API's own description, OpenAPI 3.1: made from routes, bodies and answers, committed, and served as it is.

`published` reads the committed document and nothing else. All other modules make it, and run in tests alone.
"""
