"""Readers of what the language model answers, one module a call.

A reader takes what came back, however it is wrapped, and returns a value or raises `MalformedReply`;
no answer makes it fail in any other way.
"""
