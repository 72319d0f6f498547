"""How many users one cell, an account in a region, carries: the formulas of docs/cells.md.

`python -m infra.cells` prints the page's tables; a test fails when the page shows other ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infra.environments.parts import Models

SECONDS_OF_A_DAY = 86_400
WRITES_OF_AN_UPDATE = 35  # units of a turn that is stored: accepted, consolidated, told, and trimmed one day
WRITES_OF_FACTS = 20  # units of a turn whose facts are stored: noted, asked for, stored, and its end
WRITES_OF_A_RECALL = 2  # units of what is noted of a prompt

USERS_PER_CELL = 100_000
"""Active users a day for whom one cell is meant: docs/cells.md says why, docs/deploying.md what that costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What an active user does on a day, and what a turn costs.

    `chats` is how many loads there are. `peak_share`: share of a day's requests in its busiest hour. `matters`: share
    of turns that the gate lets through; they cost two calls more, and two for their facts. `recalls`: how often facts
    are recalled for a turn. `call_seconds`: how long a call of the model takes.
    `store_seconds`: what a chain takes beside its calls. `load_seconds`, `accept_seconds`: what a load takes, and what
    a turn takes to be accepted and its state to be asked for, `recall_seconds` what a recall takes.
    """

    turns: float = 10
    chats: float = 3
    recalls: float = 1
    peak_share: float = 0.15
    matters: float = 0.25
    call_seconds: float = 3
    store_seconds: float = 0.5
    load_seconds: float = 0.1
    recall_seconds: float = 0.15
    accept_seconds: float = 0.25

    @property
    def calls(self) -> float:
        """Calls of the model for a turn, without those for its facts."""
        return 1 + 2 * self.matters

    @property
    def calls_for_facts(self) -> float:
        """Calls of the model for a turn's facts: extraction and scrub."""
        return 2 * self.matters

    def turns_per_second(self, users: float) -> float:
        """In the busiest hour."""
        return users * self.turns * self.peak_share / 3600

    def loads_per_second(self, users: float) -> float:
        """In the busiest hour."""
        return users * self.chats * self.peak_share / 3600

    def assumptions_per_second(self, users: float) -> float:
        """Calls of STS in the busiest hour, if no credentials were ever at hand.

        One a load and a recall, two a turn, and one for the facts of each that matters.
        """
        return self.loads_per_second(users) + (2 + self.recalls + self.matters) * self.turns_per_second(users)

    def chains_per_second(self, workers: int) -> float:
        """What so many workers finish."""
        return workers / (self.calls * self.call_seconds + self.store_seconds)

    def extractions_per_second(self, extractors: int) -> float:
        """What so many extractors finish: a turn's facts with two calls."""
        return extractors / (2 * self.call_seconds + self.store_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A quota of one cell: its `bound` a second, and what a user adds to it in the busiest hour."""

    name: str
    bound: float
    per_user: float

    @property
    def users(self) -> float:
        """Active users at which it is reached."""
        return self.bound / self.per_user


def limits(day: Day, *, requests_per_minute: int, workers: int, extractors: int) -> list[Limit]:
    """The quotas that grow with users, by the number of users at which each is reached."""
    turns, loads = day.turns_per_second(1), day.loads_per_second(1)
    whole_day = day.turns / SECONDS_OF_A_DAY
    found = [
        Limit(name="workers, no turn waiting at the peak", bound=day.chains_per_second(workers), per_user=turns),
        Limit(name="workers, done by the end of the day", bound=day.chains_per_second(workers), per_user=whole_day),
        Limit(
            name="model requests, no turn waiting at the peak",
            bound=requests_per_minute / 60,
            per_user=turns * (day.calls + day.calls_for_facts),
        ),
        Limit(
            name="extractors, no fact waiting at the peak",
            bound=day.extractions_per_second(extractors),
            per_user=turns * day.matters,
        ),
        Limit(name="STS, alarm at 60 %", bound=360, per_user=day.assumptions_per_second(1)),
        Limit(name="STS", bound=600, per_user=day.assumptions_per_second(1)),
        Limit(name="KMS", bound=5_500, per_user=4 * day.assumptions_per_second(1)),
        Limit(name="API Gateway", bound=10_000, per_user=loads + (2 + day.recalls) * turns),
        Limit(
            name="DynamoDB, writes of the user table",
            bound=40_000,
            per_user=(WRITES_OF_AN_UPDATE + WRITES_OF_FACTS + WRITES_OF_A_RECALL * day.recalls) * turns,
        ),
        Limit(name="EventBridge, news", bound=400, per_user=day.matters * turns),
        Limit(name="SQS, calls of each kind", bound=2_400, per_user=turns),
        Limit(
            name="Lambda, 700 executions for load, ingest and recall",
            bound=700,
            per_user=day.load_seconds * loads + (day.accept_seconds + day.recall_seconds * day.recalls) * turns,
        ),
    ]
    return sorted(found, key=lambda limit: limit.users)


def rows(day: Day, *, requests_per_minute: int, workers: int, extractors: int) -> list[str]:
    """The table of limits."""
    head = ["| limit | a second | users a day |", "|---|---|---|"]
    found = limits(day, requests_per_minute=requests_per_minute, workers=workers, extractors=extractors)
    return head + [f"| {limit.name} | {_rounded(limit.bound)} | {_rounded(limit.users)} |" for limit in found]


def growth(day: Day, *users: int) -> list[str]:
    """The table of loads: what so many active users ask for in the busiest hour."""
    columns = (
        *("users a day", "loads a second", "turns a second", "STS calls a second, at most", "model requests a minute"),
        *("workers, no turn waiting", "workers, done by the end of the day"),
    )
    head = [f"| {' | '.join(columns)} |", f"|{len(columns) * '---|'}"]
    one_worker = day.chains_per_second(1)
    return head + [
        f"| {number:,} | {_rounded(day.loads_per_second(number))} | {_rounded(day.turns_per_second(number))} "
        f"| {_rounded(day.assumptions_per_second(number))} "
        f"| {_rounded(60 * (day.calls + day.calls_for_facts) * day.turns_per_second(number))} "
        f"| {_rounded(day.turns_per_second(number) / one_worker)} "
        f"| {_rounded(number * day.turns / SECONDS_OF_A_DAY / one_worker)} |"
        for number in users
    ]


def tables(models: Models) -> str:
    """Both tables of the page, for an environment's rate limit and the workers that follow from it."""
    day = Day()
    grown = growth(day, 1_000, 10_000, 100_000, 300_000, 1_000_000)
    reached = rows(
        day, requests_per_minute=models.requests_per_minute, workers=models.workers, extractors=models.extractors
    )
    return "\n\n".join("\n".join(part) for part in (grown, reached))


def _rounded(value: float) -> str:
    """Two digits that mean something; estimates have no more."""
    return f"{float(f'{value:.2g}'):,g}" if value < 10 else f"{int(float(f'{value:.2g}')):,}"  # noqa: PLR2004 - one digit before the point


if __name__ == "__main__":
    from infra.environments import ENVIRONMENTS

    print(tables(ENVIRONMENTS["prod"].models))  # noqa: T201 - what it is for
