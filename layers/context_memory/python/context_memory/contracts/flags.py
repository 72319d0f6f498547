"""The document of the operator's switches, as AppConfig serves it. Standard library only: load imports it.

    {"companies": {"acme": {"context_memory": true, "context_memory_with_web_search": false, "daily_tokens": 5000000}}}

A validator stands before it: what does not fit here was written by a release that this one does not understand.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from context_memory.domain.enablement import OperatorFlags

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_flags(document: bytes) -> Mapping[str, OperatorFlags]:
    """The flags of every company that the document names. Keys of a newer release are left alone.

    Raises:
        ValueError: it is no such document; half of it counts for nothing.
    """
    value = json.loads(document)
    companies = value.get("companies") if isinstance(value, dict) else None
    if not isinstance(companies, dict):
        raise ValueError("The document names no companies.")  # noqa: TRY004 - one error for all that cannot be read
    return {company_id: _flags(one) for company_id, one in companies.items()}


def _flags(value: Any) -> OperatorFlags:  # noqa: ANN401 - any JSON
    if not isinstance(value, dict):
        raise ValueError("A company has no flags.")  # noqa: TRY004 - as above
    tokens = value.get("daily_tokens")
    if tokens is not None and (type(tokens) is not int or tokens < 1):
        raise ValueError("A budget is no number of tokens.")
    return OperatorFlags(
        context_memory=_switch(value, "context_memory"),
        context_memory_with_web_search=_switch(value, "context_memory_with_web_search"),
        daily_tokens=tokens,
    )


def _switch(value: Mapping[str, object], name: str) -> bool:
    switch = value.get(name)
    if not isinstance(switch, bool):
        raise ValueError(f"{name} is neither on nor off.")  # noqa: TRY004 - as above
    return switch
