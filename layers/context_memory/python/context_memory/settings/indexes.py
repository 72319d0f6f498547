"""Where indexes are kept outside of the functions: read by those that search them or write what is in them."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.reading import FromEnvironment, variable


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings(FromEnvironment):
    """The function that keeps LanceDB's tables; empty where the environment has none."""

    lance_function: str = variable("LANCE_FUNCTION", default="")
