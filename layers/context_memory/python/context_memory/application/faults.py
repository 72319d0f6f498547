"""Where our own code failed, told without a word of what it failed on."""

from __future__ import annotations


def place_of(error: Exception) -> str:
    """The innermost place in our code, by file and line: enough to find it, without a word of the message."""
    trace, place = error.__traceback__, "?"
    while trace is not None:
        code = trace.tb_frame.f_code
        if "context_memory" in code.co_filename:
            place = f"{code.co_filename.rsplit('context_memory/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
