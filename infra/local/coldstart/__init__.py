"""Measures how long a function takes to start, as Lambda measures it.

One fresh process of AWS's own runtime client per sample, on a Runtime API that we serve on this machine. It sees the
function's code, the two layers and the runtime client, and no other package, so that whatever is missing in a layer
shows here. Never compare times across machines.
"""
