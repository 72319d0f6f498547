"""What users hand in themselves: an edit of their memory, or a file that they bring along.

`submitted` reads any Markdown within bounds, `edit` and `importing` make a body of it, `pins` and `denial` carry the
user's own rules over to it.
"""
