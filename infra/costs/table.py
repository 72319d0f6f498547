"""The costs as a table: dollars per 1,000 turns, for three sizes of a service."""

from __future__ import annotations

from infra.cells import USERS_PER_CELL
from infra.costs import facts, usage

SIZES = {"1,000": 1_000, "100,000": 100_000, "10,000,000": 10_000_000}
_PARTS = {
    "load": usage.load,
    "ingest, and its state asked for once": usage.ingest,
    "consolidate, waiting for the model": usage.consolidate,
    "extract, waiting for the model": usage.extract,
    "recall": usage.recall,
    "citations": facts.citations,
    "compaction, waiting for the model": facts.compaction,
    "the jobs `embed` and `publish`": facts.indexes,
    "KMS": usage.keys,
    "logs": usage.logs,
    "trimming of history": usage.upkeep,
    "storage": usage.storage,
}


def table() -> str:
    """Markdown, with a line break at its end."""
    turns = {name: users * usage.TURNS_PER_USER_AND_MONTH for name, users in SIZES.items()}
    rows = [(name, [1000 * part()] * len(SIZES)) for name, part in _PARTS.items()]
    rows.append(("traces", [1000 * usage.traces(turns[name] / cells(SIZES[name])) for name in SIZES]))
    rows.append(("standing costs", [1000 * standing(SIZES[name]) / turns[name] for name in SIZES]))
    aws = [sum(values[column] for _, values in rows) for column in range(len(SIZES))]
    models = [
        ("profile", usage.model()),
        ("facts and vectors", usage.facts_model()),
        ("compaction", facts.compaction_model()),
    ]
    total = [one + 1000 * sum(price for _, price in models) for one in aws]
    month = [per_thousand * turns[name] / 1000 for name, per_thousand in zip(SIZES, total, strict=True)]
    lines = [
        f"| dollars per 1,000 turns | {' | '.join(f'{name} users' for name in SIZES)} |",
        f"|---|{'---:|' * len(SIZES)}",
        *(_row(name, values, ".4f") for name, values in rows),
        _row("**AWS**", aws, ".3f"),
        *(_row(f"**model**, {what}", [1000 * price] * len(SIZES), ".3f") for what, price in models),
        _row("**together**", total, ".3f"),
        _row("dollars a month", month, ",.0f"),
    ]
    return "\n".join(lines) + "\n"


def standing(users: int) -> float:
    """Dollars a month for as many cells as so many users need."""
    return cells(users) * usage.standing()


def cells(users: int) -> int:
    """How many cells so many users need."""
    return -(-users // USERS_PER_CELL)


def _row(name: str, values: list[float], form: str) -> str:
    return f"| {name} | {' | '.join(format(value, form) for value in values)} |"
