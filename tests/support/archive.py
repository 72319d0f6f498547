"""A house with old facts, whose companies are walked through to merge them."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from context_memory.adapters.cached_budgets import CachedBudgets
from context_memory.application.compact.looking import Looking
from context_memory.application.compact.topics import MergeTopics
from context_memory.application.following.asking import Asking as AskingModels
from context_memory.application.ladder import Ladder
from context_memory.application.spending import Spending
from context_memory.application.walks.asking import Asking
from context_memory.application.walks.compacting import CompactUser
from context_memory.application.walks.walking import WalkOn
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.jobs import WalkJob
from context_memory.domain.walks import Line, Walk, WalkKind
from tests.support.facts import a_fact
from tests.support.house import LENA, MODEL, PROMPTS, TOKENIZERS, House
from tests.support.kept_facts import put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact

AGE = timedelta(days=90)
"""How long a fact has to be left alone to be old."""


def merging(*merges: tuple[list[int], str]) -> str:
    """An answer that merges facts by their numbers."""
    return json.dumps({"merges": [{"of": of, "text": text} for of, text in merges]})


class Archive:
    """A house whose companies are walked through for old facts."""

    def __init__(self, house: House) -> None:
        self.house, world = house, house.world
        self.world = world
        budgets = CachedBudgets(world.budgets, world.clock)
        self.step = CompactUser(
            shelf=lambda user: house.shelf(user=user, typed=False),
            looking=Looking(switches=world.switches),
            topics=MergeTopics(change=house.change, model=MODEL, tokens=TOKENIZERS[0].count, telemetry=world.telemetry),
            asking=AskingModels(
                model=house.run.model,
                prompts=PROMPTS,
                identifiers=world.identifiers,
                switches=world.switches,
                ladder=Ladder(budgets=budgets, budget=house.budget, clock=world.clock, telemetry=world.telemetry),
                spending=Spending(budgets=budgets, clock=world.clock, telemetry=world.telemetry),
                agenda=world.agenda,
                clock=world.clock,
                telemetry=world.telemetry,
                limits=house.limits,
            ),
            age=AGE,
            model=MODEL,
            tokens=TOKENIZERS[0].count,
        )
        self.asking = Asking(
            walks=world.walks,
            companies=world.companies,
            jobs=world.jobs,
            agenda=world.agenda,
            clock=world.clock,
            identifiers=world.identifiers,
            telemetry=world.telemetry,
        )

    def old(self, *texts: str, days: int = 100, **more: Any) -> list[Fact]:  # noqa: ANN401 - whatever a fact has
        """Facts that were stated so many days ago."""
        at = self.world.clock.now() - timedelta(days=days)
        filled = {"tier": Tier.ARCHIVAL, "tokens": 12, "created_at": at, "last_confirmed_at": at} | more
        facts = [a_fact(text, UserScope(LENA), **filled) for text in texts]
        self.world.roster.enter(LENA)
        put(self.house, *facts)
        return facts

    def walk(self, *, dry_run: bool = False, parameters: str = "{}") -> tuple[Walk, Sequence[Line]]:
        """One walk from its beginning to its end."""
        asked = self.asking.ask("acme", WalkKind.COMPACT, asked_by="x", dry_run=dry_run, parameters=parameters)
        return self.work(asked.walk.job_id)

    def work(self, job_id: str) -> tuple[Walk, Sequence[Line]]:
        """One stretch after another until the walk is over."""
        walk_on = WalkOn(
            walks=self.world.walks,
            directory=self.world.directory,
            step_of=lambda _: self.step,
            jobs=self.world.jobs,
            agenda=self.world.agenda,
            clock=self.world.clock,
            telemetry=self.world.telemetry,
            at_once=1,
            closing=timedelta(0),
        )
        while self.asking.report("acme", job_id).walk.running:
            walk_on(WalkJob(company_id="acme", job_id=job_id), 100.0)
        report = self.asking.report("acme", job_id)
        return report.walk, [line for page in report.pages for line in page.lines]

    def answers(self, *said: str) -> None:
        """What the model says, call by call."""
        for one in said:
            self.house.model.queue("compact", one)

    @property
    def asked(self) -> list[str]:
        """What the model was shown."""
        return [one.said_by("user") for one in self.house.model.asked() if one.purpose == "compact"]
