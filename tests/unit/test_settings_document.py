"""`docs/settings.md` is made from the settings; run this file with `GOLDEN=write` to make it anew."""

from __future__ import annotations

import os
from dataclasses import MISSING, fields
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from context_memory.domain.limits import ChainLimits
from context_memory.settings.about import ABOUT
from context_memory.settings.account import AccountSettings
from context_memory.settings.admin import AdminSettings
from context_memory.settings.consolidate import ConsolidateSettings
from context_memory.settings.embedding import EmbeddingSettings
from context_memory.settings.extract import ExtractSettings
from context_memory.settings.facts import FactsSettings
from context_memory.settings.indexes import IndexSettings
from context_memory.settings.ingest import IngestSettings
from context_memory.settings.load import LoadSettings
from context_memory.settings.maintain import MaintainSettings
from context_memory.settings.recall import RecallSettings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"
FUNCTIONS: dict[str, tuple[type[DataclassInstance], ...]] = {
    "load": (LoadSettings,),
    "ingest": (IngestSettings,),
    "recall": (RecallSettings, EmbeddingSettings, FactsSettings, IndexSettings),
    "consolidate": (ConsolidateSettings,),
    "extract": (ExtractSettings, EmbeddingSettings, IndexSettings),
    "maintain": (MaintainSettings, EmbeddingSettings, IndexSettings),
    "account": (AccountSettings, EmbeddingSettings, IndexSettings),
    "admin": (AdminSettings, EmbeddingSettings, IndexSettings),
}
HEAD = """# Settings

Environment variables of the functions. A function refuses to start when one that it needs is absent, and names it.
The stacks set them from the environment's file in `infra/environments`.
This page is generated; a test fails when it is stale.
"""


def written() -> str:
    needed: dict[str, list[str]] = {}
    defaults: dict[str, object] = {}
    for function, settings in FUNCTIONS.items():
        for one in chain.from_iterable(fields(part) for part in settings):
            name = one.metadata["name"]
            needed.setdefault(name, []).append(function)
            defaults[name] = (
                "required" if one.default is MISSING else f"`{one.default}`" if one.default != "" else "empty"
            )
    rows = [
        f"| `{name}` | {ABOUT[name]} | {defaults[name]} | {', '.join(functions)} |"
        for name, functions in sorted(needed.items())
    ]
    limits = [f"| `LIMIT_{one.name.upper()}` | `{one.default}` |" for one in fields(ChainLimits)]
    table = "\n".join(["| variable | what | default | functions |", "|---|---|---|---|", *rows])
    bounds = "\n".join(["| variable of consolidate | default |", "|---|---|", *limits])
    about = "Bounds of one run of the chain: tokens, unless the name says turns, calls, tries, seconds or a share."
    return f"{HEAD}\n{table}\n\n## Limits\n\n{about}\n\n{bounds}\n"


def test_the_page_of_settings_is_not_stale() -> None:
    if os.environ.get("GOLDEN") == "write":
        DOCUMENT.write_text(written())
    assert DOCUMENT.read_text() == written()


def test_every_variable_is_explained_and_nothing_else() -> None:
    known = {one.metadata["name"] for settings in FUNCTIONS.values() for part in settings for one in fields(part)}
    assert set(ABOUT) == known
