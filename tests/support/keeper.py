"""A house whose company keeps what its users say, and walks through them to make facts of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from context_memory.adapters.cached_budgets import CachedBudgets
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.application.extract.nearest import Nearest
from context_memory.application.following.asking import Asking as AskingModels
from context_memory.application.kept.reading import ReadKept
from context_memory.application.kept.starting import StartSummaries
from context_memory.application.kept.summarising import Summarise
from context_memory.application.ladder import Ladder
from context_memory.application.spending import Spending
from context_memory.application.taken_out import TakenOut
from context_memory.application.walks.asking import Asking
from context_memory.application.walks.summarising import SummariseUser
from context_memory.application.walks.walking import WalkOn
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import UnknownJob
from context_memory.domain.jobs import WalkJob
from context_memory.domain.recall.floors import NONE
from context_memory.domain.walks import Walk, WalkKind, WalkStatus
from tests.support.house import EXTRACTION_MODEL, LENA, MODEL, NO_FACTS, PROMPTS, TOKENIZERS, House

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.extract.work import Work
    from context_memory.domain.ids import UserKey
    from context_memory.domain.walks import Line
    from context_memory.ports.facts import FactsChange


def added(text: str, quote: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """One operation as a model proposes it."""
    return {"op": "add", "id": None, "text": text, "tier": None, "keywords": [], "quote": quote} | fields


def said(*operations: dict[str, Any]) -> str:
    """A whole answer."""
    return json.dumps({"facts": list(operations)})


class Keeper:
    """Turns of one company, kept for so many days, and what becomes of them."""

    def __init__(self, house: House, *, days: int = 30) -> None:
        self.house, self.world = house, house.world
        self.changes: list[FactsChange] = []
        self.keeps_for(days)
        house.model.script("gate", lambda _: "UPDATE")
        house.model.script("consolidation", lambda _: "NOOP")
        house.model.script("scrub", lambda _: "CLEAN")
        house.model.script("summary", lambda _: NO_FACTS)
        self.restart()

    def restart(self) -> None:
        """A new process over the same world."""
        self.house.restart()
        world, limits = self.world, self.house.limits
        budgets = CachedBudgets(world.budgets, world.clock)
        ladder = Ladder(budgets=budgets, budget=self.house.budget, clock=world.clock, telemetry=world.telemetry)
        asking = AskingModels(
            model=self.house.run.model,
            prompts=PROMPTS,
            identifiers=world.identifiers,
            switches=world.switches,
            ladder=ladder,
            spending=Spending(budgets=budgets, clock=world.clock, telemetry=world.telemetry),
            agenda=world.agenda,
            clock=world.clock,
            telemetry=world.telemetry,
            limits=limits,
        )
        summarise = Summarise(
            store=world.facts,
            extraction=EXTRACTION_MODEL,
            scrub=MODEL,
            embedder=self.house.embedder,
            nearest=Nearest(indexes=WarmIndexes(floors=NONE), embedder=self.house.embedder, telemetry=world.telemetry),
            prompts=PROMPTS,
            tokenizer=TOKENIZERS[0],
            forgetting=self.house.forgetting,
            taken_out=TakenOut(table=world.table, forgetting=self.house.forgetting),
            let_go=self.house.forgetting.let_go,
            written=self._written,
            clock=world.clock,
            telemetry=world.telemetry,
            limits=limits,
        )
        self.step = SummariseUser(
            table=world.table,
            turns=world.kept_turns,
            texts=world.texts,
            let_go=self.house.forgetting.let_go,
            read=ReadKept(
                texts=world.texts,
                payloads=world.payloads,
                switches=world.switches,
                tokenizer=TOKENIZERS[0],
                telemetry=world.telemetry,
                limits=limits,
            ),
            summarise=summarise,
            asking=asking,
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
        self.start = StartSummaries(
            asking=self.asking, directory=world.directory, clock=world.clock, telemetry=world.telemetry
        )

    def _written(self, _work: Work, change: FactsChange) -> None:
        self.changes.append(change)

    def keeps_for(self, days: int, **flags: Any) -> None:  # noqa: ANN401 - any flag of a company
        """What the company sets from now on."""
        known = self.world.switches.companies.get("acme")
        on = known or CompanyFlags(context_memory=True, context_memory_with_web_search=True)
        self.world.switches.companies["acme"] = replace(on, keep_turns_days=days, **flags)
        stored = self.world.companies.settings("acme")
        settings = replace(stored.settings, keep_turns_days=days)
        self.world.companies.replace("acme", settings, version=None)

    def tell(self, turn_id: str, text: str, *, work: bool = True, **fields: Any) -> None:  # noqa: ANN401 - any JSON
        """A turn in which nothing is found at first."""
        self.world.clock.advance(60)
        assert self.house.post(turn_id, text, **fields) is None
        if work:
            self.house.work()

    def days_later(self, days: float) -> None:
        """So many days pass."""
        self.world.clock.advance(timedelta(days=days).total_seconds())

    def kept(self, user: UserKey = LENA) -> list[str]:
        """Turns of which the text is kept."""
        return [turn.turn_id for turn in self.world.kept_turns.kept(user)]

    def texts(self, user: UserKey = LENA) -> list[str]:
        """Turns whose text lies anywhere."""
        world = self.world
        return sorted(one[0] for place in (world.texts, world.payloads) for one in place.stored(user))

    def walk(self, *, dry_run: bool = False) -> tuple[Walk, Sequence[Line]]:
        """One walk from its beginning to its end."""
        asked = self.asking.ask("acme", WalkKind.SUMMARISE, asked_by="x", dry_run=dry_run)
        return self.work(asked.walk.job_id)

    def meet(self, user: UserKey = LENA) -> Line:
        """What a walk does for one user."""
        now = self.world.clock.now()
        walk = Walk(
            company_id=user.company_id,
            job_id="w",
            kind=WalkKind.SUMMARISE,
            status=WalkStatus.RUNNING,
            dry_run=False,
            asked_by="x",
            asked_at=now,
        )
        return self.step(user, walk)

    def daily(self) -> Sequence[Line]:
        """What the walk of the day tells, if one is begun."""
        self.start()
        try:
            return self.work(f"SUMMARISE-{self.world.clock.now().date().isoformat()}")[1]
        except UnknownJob:
            return ()

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

    @property
    def asked(self) -> list[str]:
        """What the model was shown for summaries."""
        return [one.said_by("user") for one in self.house.model.asked("summary")]
