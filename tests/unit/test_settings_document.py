"""`docs/settings.md` is made from the settings; run this file with `GOLDEN=write` to make it anew."""

from __future__ import annotations

import os
from dataclasses import MISSING, fields
from pathlib import Path

from context_memory.domain.limits import ChainLimits
from context_memory.settings.about import ABOUT
from context_memory.settings.account import AccountSettings
from context_memory.settings.admin import AdminSettings
from context_memory.settings.consolidate import ConsolidateSettings
from context_memory.settings.ingest import IngestSettings
from context_memory.settings.load import LoadSettings
from context_memory.settings.maintain import MaintainSettings

DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"
FUNCTIONS = {
    "load": LoadSettings,
    "ingest": IngestSettings,
    "consolidate": ConsolidateSettings,
    "maintain": MaintainSettings,
    "account": AccountSettings,
    "admin": AdminSettings,
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
        for one in fields(settings):
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
    known = {one.metadata["name"] for settings in FUNCTIONS.values() for one in fields(settings)}
    assert set(ABOUT) == known
