"""Profiles and exchanges of given sizes, in tokens of cl100k_base. Everybody in them is invented."""

from __future__ import annotations

from itertools import cycle, islice, product
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.system import MONDAY_MORNING
from tests.support.house import body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NEWS = "From August on I lead the settlement desk in Vienna, and I would like tables instead of long prose from now on."
LEARNED = {
    "work": "Leads the settlement desk in Vienna from August on.",
    "communication": "Prefers tables to long prose.",
}
NEWS_ANSWER = (
    "Congratulations on the new desk! Here is the comparison you asked for, as a table from now on. The first column "
    "holds the venue, the second the cut-off for instructions, the third how long a failed trade stays open before the "
    "penalty regime sets in, and the last the person on our side who signs off. Vienna has the earliest cut-off of the "
    "four, so instructions that reach you after lunch will usually settle on the following day. Two venues allow "
    "partial settlement, and for these it is worth splitting large positions in the morning. If you want I can add the "
    "holidays of the coming quarter, and mark the days on which only one of the two sides is open, so that you see at "
    "a glance where a position will have to wait. Just say which of the desks the table should begin with. I left out "
    "the venue in Prague, as your desk hands its trades over to the local agent before noon, with small penalties."
)
QUESTION = "How does a hash join differ from a merge join, and when does a planner usually choose the one or the other?"
QUESTION_ANSWER = (
    "A hash join reads the smaller input once, builds a table of it in memory by the join key, and then probes that "
    "table with each row of the larger input. A merge join wants both inputs sorted by the key and walks through them "
    "side by side, like closing a zip. The planner picks the hash join when nothing is sorted and the smaller one fits "
    "into memory; it picks the merge join when an index or an earlier step delivers the order anyway, or when the "
    "result has to be sorted by the key later on. Very small inputs are a third case: then a nested loop over an index "
    "is cheaper than both, because nothing has to be prepared. If statistics are stale, the choice can be wrong by "
    "orders of magnitude, so look at the estimated and the actual row counts first of all, before you touch hints. "
    "Both joins spill to disk when memory runs out, and the hash join suffers more from it than its rival does."
)
EXCHANGE_TOKENS = 219

_IDENTITY = (
    "Works as an operations engineer at Nordlicht Clearing.",
    "Is based in Graz and works in the zone Europe/Vienna.",
    "Speaks German, English and some Slovene.",
    "Plays the viola in an amateur orchestra.",
)
_COMMUNICATION = (
    "Prefers short answers with one concrete example.",
    "Wants commands in code blocks, ready to paste.",
    "Likes caveats at the end of an answer.",
)
_SYSTEMS = ("ledger", "matching", "reporting", "reference data", "corporate actions", "collateral", "payments", "tax")
_TASKS = (
    "Migrates the {} service to the new message bus by the end of the quarter.",
    "Writes the recovery runbook of the {} system with the night shift.",
    "Reviews alerts of the {} platform every Monday morning.",
    "Replaces the nightly export of the {} database with a stream.",
    "Measures how many {} jobs miss their cut-off time.",
)
_TOOLS = (
    "Ansible",
    "Kafka",
    "Postgres",
    "Terraform",
    "Grafana",
    "Rust",
    "Go",
    "Python",
    "Redis",
    "Nomad",
    "Helm",
    "dbt",
    "Vault",
    "Consul",
    "Airflow",
    "Spark",
    "Flink",
    "Trino",
    "Iceberg",
    "Jenkins",
    "Pulumi",
    "Envoy",
    "Istio",
    "Linkerd",
)
_LEVELS = (
    "Has used {} in production for several years.",
    "Teaches colleagues how to debug {} under load.",
    "Maintains an internal template for {} projects.",
    "Answers questions about {} in the engineering guild.",
)
_SECTIONS = {
    "work": [task.format(system) for task, system in product(_TASKS, _SYSTEMS)],
    "skills": [level.format(tool) for level, tool in product(_LEVELS, _TOOLS)],
    "follow_ups": [
        f"Send the {system} figures to the auditors by 2027-03-{day + 10}." for day, system in enumerate(_SYSTEMS)
    ],
    # The stamp is the time at which the world of the tests begins: a topic bears that of the turn that told of it.
    "topics": [f"{MONDAY_MORNING:%Y-%m-%d %H:%M} UTC: backlog of the {system} queue" for system in _SYSTEMS[:5]],
}


def profile_sections(tokens: int, count: Callable[[str], int]) -> dict[str, list[str]]:
    """Bullets by section whose profile is as near to `tokens` as whole bullets allow.

    Raises:
        AssertionError: there are not that many bullets.
    """
    sections: dict[str, list[str]] = {"identity": list(_IDENTITY), "communication": list(_COMMUNICATION)}
    full = False
    for section, bullet in _bullets():
        longer = sections | {section: [*sections.get(section, []), bullet]}
        if count(body(**longer)) <= tokens:
            sections = longer
        else:
            full = True
    assert full, f"There are too few bullets for {tokens} tokens."
    return sections


def _bullets() -> Iterator[tuple[str, str]]:
    """Bullets of the four sections in turns."""
    waiting = {section: iter(bullets) for section, bullets in _SECTIONS.items()}
    for section in cycle(_SECTIONS):
        if section not in waiting:
            continue
        bullet = next(waiting[section], None)
        if bullet is None:
            del waiting[section]
            if not waiting:
                return
            continue
        yield section, bullet


def pasted_prose(characters: int) -> str:
    """One block of text that long, no two sentences alike."""
    verbs = ("delayed", "rejected", "matched", "cancelled", "confirmed", "amended", "split", "released")
    sentences = (
        f"On day {day} of the review the {system} desk {verb} {day * 7 % 97 + 3} instructions of the afternoon batch "
        f"because the counterparty sent its file {day * 11 % 50 + 10} minutes after the agreed time. "
        for day, (system, verb) in enumerate(cycle(product(_SYSTEMS, verbs)), start=1)
    )
    return "".join(islice(sentences, characters // 100))[:characters]
