"""The whole service in one process: our use cases over in-memory stores, with a scripted model over real HTTP.

with House() as house:
    house.remembers("I moved to Basel.", "Lives in Basel.")      # what the model is to answer
    house.post("t1", "I moved to Basel.")
    house.work()
    assert "- Lives in Basel." in house.memory()
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from context_memory.adapters.cached_budgets import CachedBudgets
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.jinja_prompts import JinjaPrompts
from context_memory.adapters.openai_model import OpenAiModel
from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer
from context_memory.application.account.editing import Edit, Import
from context_memory.application.account.export import Export
from context_memory.application.account.history import History
from context_memory.application.account.memory import Remembered, ShowMemory
from context_memory.application.account.rules import Deny, Pin
from context_memory.application.account.settings import ShowSettings
from context_memory.application.account.turns import RecentTurns
from context_memory.application.account.web.changing import ChangingRoutes
from context_memory.application.account.web.facts import UserFactRoutes
from context_memory.application.account.web.history import HistoryRoutes
from context_memory.application.account.web.reading import ReadingRoutes
from context_memory.application.account.web.undoing import UndoingRoutes
from context_memory.application.asking.calls import Models
from context_memory.application.asking.deadline import Deadline
from context_memory.application.changing.change import Change
from context_memory.application.changing.correcting import TakeOutCorrected
from context_memory.application.changing.denying import TakeOutDenied
from context_memory.application.changing.following import Following
from context_memory.application.changing.outgrown import Outgrown
from context_memory.application.changing.restore import Restore
from context_memory.application.changing.unlearn import Unlearn
from context_memory.application.commit.sweeping import Sweep
from context_memory.application.consolidate.committing import Committing
from context_memory.application.consolidate.forgetting_facts import ForgetFacts
from context_memory.application.consolidate.gathering import Gathering
from context_memory.application.consolidate.run import Run
from context_memory.application.consolidate.withdrawing import Withdrawing
from context_memory.application.consolidate.worker import Consolidate
from context_memory.application.doorbell import AnswerDoorbell, Wait, Worker
from context_memory.application.extract import following as extract_following
from context_memory.application.extract import gathering as extract_gathering
from context_memory.application.extract import run as extract_run
from context_memory.application.extract import worker as extract
from context_memory.application.extract.attempts import Attempts
from context_memory.application.extract.ending import Ending
from context_memory.application.extract.nearest import Nearest
from context_memory.application.extract.report import Reporting
from context_memory.application.facts.bringing import Bringing
from context_memory.application.facts.keeping import Keeping
from context_memory.application.facts.parting import Parting
from context_memory.application.facts.rewriting import RewriteFacts
from context_memory.application.facts.shared_shelf import SharedShelf
from context_memory.application.facts.shared_web import SharedFactRoutes
from context_memory.application.facts.user_shelf import UserShelf
from context_memory.application.facts.vectors import Vectors
from context_memory.application.facts.web import FactRoutes
from context_memory.application.following.asking import Asking
from context_memory.application.following.checking_facts import CheckFacts
from context_memory.application.following.condensing import Condense
from context_memory.application.following.following_up import FollowUp
from context_memory.application.following.moving import CleanUpLegacy
from context_memory.application.following.rescrubbing import Rescrub
from context_memory.application.indexing.embedding_anew import EmbedAnew
from context_memory.application.indexing.publishing import Publishing
from context_memory.application.indexing.refreshing import RefreshShared, RefreshUser
from context_memory.application.indexing.upkeep import FollowUsers, Upkeep
from context_memory.application.ingest import Ingest
from context_memory.application.inheriting import passed_on
from context_memory.application.kept.putting_by import PutBy
from context_memory.application.ladder import Ladder
from context_memory.application.legacy import as_committed
from context_memory.application.load import Load, Loaded, LoadQuery
from context_memory.application.maintain.answering import kind_of_job
from context_memory.application.maintain.healing import Heal, Healed
from context_memory.application.maintain.inspecting import Inspect
from context_memory.application.maintain.redacting import Redact
from context_memory.application.maintain.redriving import Redrive
from context_memory.application.maintain.tidying import Tidy
from context_memory.application.spending import Spending
from context_memory.application.taken_out import TakenOut
from context_memory.application.telling import Telling
from context_memory.application.turn_status import TurnStatusQuery
from context_memory.contracts.turns import TurnBody, sha256
from context_memory.domain.errors import Unavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import JobKind
from context_memory.domain.language_models import AllowedModels
from context_memory.domain.limits import ChainLimits
from context_memory.domain.spending import DailyBudget
from context_memory.domain.waiting import Patience
from tests.support.forgetting import forgetting_in
from tests.support.scripted_model import ScriptedModel
from tests.support.vocabulary import vocabulary_folder

if TYPE_CHECKING:
    from types import TracebackType

    from context_memory.adapters.in_memory.doorbells import InMemoryDoorbells
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.maintain.answering import Work
    from context_memory.domain.company_settings import CompanySettings
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.recall import Embedder

os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary_folder())
TOKENIZERS = [TiktokenTokenizer("o200k_base"), TiktokenTokenizer("cl100k_base")]
PROMPTS = JinjaPrompts()
LENA = UserKey("acme", "lena")
MODEL = "large"
ALLOWED = AllowedModels(aliases={"fast": "medium"})
PLENTY = 600.0
EXTRACTION_MODEL = "extractor"
NO_FACTS = '{"facts": []}'

EMPTY = "_(empty)_"
HEADINGS = (
    "Identity", "Communication Preferences", "Work Context", "Skills & Expertise", "Follow-ups", "Recent Topics",
)  # fmt: skip


def body(**sections: list[str]) -> str:
    """A complete profile as a model writes it; sections are named as fields of `Bullets` are."""
    names = ("identity", "communication", "work", "skills", "follow_ups", "topics")
    lines = ["# User Memory"]
    for name, heading in zip(names, HEADINGS, strict=True):
        bullets = "\n".join(f"- {bullet}" for bullet in sections.get(name, []))
        lines.append(f"\n## {heading}\n{bullets or EMPTY}")
    return "\n".join(lines) + "\n"


def _work_off[W: Worker](doorbells: InMemoryDoorbells, answer: AnswerDoorbell[W], *, rounds: int = 50) -> None:
    for _ in range(rounds):
        delivery = doorbells.receive()
        if delivery is None:
            return
        done = answer(delivery.doorbell.user, receipt=delivery.receipt, received=delivery.received, seconds=PLENTY)
        if done:
            doorbells.acknowledge(delivery.receipt)
    raise AssertionError("The doorbells never fall silent.")


class House:
    """One world, one scripted model, and everything that is built over them; `restart` is a new process."""

    def __init__(self, *, sweep_age: timedelta = timedelta(0), **limits: Any) -> None:  # noqa: ANN401 - as ChainLimits
        self.world = InMemoryWorld()
        self.sweep_age = sweep_age
        self.budget = DailyBudget(daily_tokens=50_000_000, saving_share=0.8)
        self.limits = ChainLimits(**({"gate_miss_share": 0.0} | limits))
        self.model = ScriptedModel()
        self.model.script("extraction", lambda _: NO_FACTS)
        self.embedder: Embedder | None = None
        self._running = ExitStack()
        self.restart()

    def __enter__(self) -> Self:
        self.model.__enter__()
        self.restart()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()
        self.model.__exit__(kind, error, trace)

    def restart(self) -> None:
        """Build every use case anew over the same world."""
        self._running.close()
        world, limits = self.world, self.limits
        model = OpenAiModel(
            base_url=self.model.base_url,
            api_key=lambda: "key",
            clock=world.clock,
            sleep=world.clock.advance,
            try_seconds=2.0,
        )
        self._running.callback(model.close)
        executor = self._running.enter_context(ThreadPoolExecutor(max_workers=1))
        budgets = CachedBudgets(world.budgets, world.clock)
        ladder = Ladder(budgets=budgets, budget=self.budget, clock=world.clock, telemetry=world.telemetry)
        self.ingest = Ingest(
            table=world.table,
            payloads=world.payloads,
            roster=world.roster,
            switches=world.switches,
            doorbells=world.doorbells,
            clock=world.clock,
            identifiers=world.identifiers,
            telemetry=world.telemetry,
            models=ALLOWED,
            prompts=world.prompts,
        )
        self.sweep = Sweep(
            objects=world.profiles,
            table=world.table,
            clock=world.clock,
            telemetry=world.telemetry,
            age=self.sweep_age,
        )
        following = Following(agenda=world.agenda, jobs=world.jobs, clock=world.clock, telemetry=world.telemetry)
        self.put_by = PutBy(turns=world.kept_turns, payloads=world.payloads, texts=world.texts)
        forgetting = self.forgetting = forgetting_in(world)
        self.run = Run(
            table=world.table,
            objects=world.profiles,
            switches=world.switches,
            model=model,
            models=Models(gate="small", consolidation=MODEL, scrub=MODEL, small="smallest"),
            prompts=PROMPTS,
            tokenizer=TOKENIZERS[0],
            identifiers=world.identifiers,
            clock=world.clock,
            telemetry=world.telemetry,
            forgetting=forgetting,
            taken_out=TakenOut(table=world.table, forgetting=forgetting),
            forget_facts=ForgetFacts(
                store=world.facts,
                forgetting=forgetting,
                withdrawing=Withdrawing(
                    table=world.table,
                    store=world.facts,
                    let_go=forgetting.let_go,
                    tokens=TOKENIZERS[0].count,
                    clock=world.clock,
                ),
                clock=world.clock,
                telemetry=world.telemetry,
            ),
            commit=Committing(
                objects=world.profiles,
                table=world.table,
                prompts=PROMPTS,
                tokenizers=TOKENIZERS,
                forgetting=forgetting,
                following=following,
                sweep=self.sweep,
                clock=world.clock,
                telemetry=world.telemetry,
            ),
            upkeep=Upkeep(agenda=world.agenda, jobs=world.jobs, clock=world.clock, telemetry=world.telemetry),
            spending=Spending(budgets=budgets, clock=world.clock, telemetry=world.telemetry),
            limits=limits,
        )
        self.consolidate = Consolidate.over(
            table=world.table,
            payloads=world.payloads,
            switches=world.switches,
            doorbells=world.doorbells,
            facts_doorbells=world.facts_doorbells,
            gathering=Gathering(
                table=world.table,
                payloads=world.payloads,
                switches=world.switches,
                model=MODEL,
                models=ALLOWED,
                tokenizer=TOKENIZERS[0],
                clock=world.clock,
                limits=limits,
            ),
            run=self.run,
            ladder=ladder,
            news=world.news,
            following=following,
            clock=world.clock,
            telemetry=world.telemetry,
            limits=limits,
        )
        self.answer = AnswerDoorbell(
            work=self.consolidate,
            stage="consolidation",
            doorbells=world.doorbells,
            patience=Patience(),
            clock=world.clock,
            telemetry=world.telemetry,
        )
        self._extract(model, forgetting, ladder, budgets)
        self.load_memory = Load(
            table=world.table,
            objects=world.profiles,
            switches=world.switches,
            doorbells=world.doorbells,
            clock=world.clock,
            telemetry=world.telemetry,
            executor=executor,
            passed_on=partial(passed_on, world.prompts),
            legacy=lambda body, user: as_committed(body, user, TOKENIZERS),
            aside=lambda work: work(),
        )
        self.show_memory = ShowMemory(
            table=world.table,
            objects=world.profiles,
            switches=world.switches,
            telemetry=world.telemetry,
            legacy=lambda body, user: as_committed(body, user, TOKENIZERS),
            outgrown=Outgrown(following=following, telemetry=world.telemetry),
        )

        def company_settings(company_id: str) -> CompanySettings:
            return world.companies.settings(company_id).settings

        self.change = Change(
            table=world.table,
            objects=world.profiles,
            company=world.companies.settings,
            prompts=PROMPTS,
            tokenizers=lambda: TOKENIZERS,
            forgetting=forgetting,
            following=following,
            clock=world.clock,
            telemetry=world.telemetry,
        )
        self.history = History(table=world.table, objects=world.profiles)
        self.unlearn = Unlearn(change=self.change, table=world.table)
        self.redact = Redact(
            table=world.table,
            objects=world.profiles,
            forgetting=forgetting,
            sweep=self.sweep,
            agenda=world.agenda,
            jobs=world.jobs,
            clock=world.clock,
            telemetry=world.telemetry,
        )
        self.tidy = Tidy(
            table=world.table,
            sweep=self.sweep,
            company=company_settings,
            agenda=world.agenda,
            jobs=world.jobs,
            clock=world.clock,
            telemetry=world.telemetry,
        )
        self.pin = Pin(change=self.change, table=world.table, tokenizer=lambda: TOKENIZERS[0])
        self._keep_facts(forgetting)
        self.take_out_corrected = TakeOutCorrected(change=self.change, facts=self.rewrite_facts, table=world.table)
        self.edit = Edit(change=self.change, take_out=self.take_out_corrected)
        self.bring = Import(change=self.change, take_out=self.take_out_corrected)
        self.restore = Restore(
            change=self.change, take_out=self.take_out_corrected, table=world.table, objects=world.profiles
        )
        self.take_out = TakeOutDenied(change=self.change, facts=self.rewrite_facts)
        self.deny = Deny(
            change=self.change,
            take_out=self.take_out,
            table=world.table,
            following=following,
            roster=world.roster,
        )
        self._tend(model, ladder, budgets)
        self.recent_turns = RecentTurns(table=world.table)
        self.show_settings = ShowSettings(table=world.table, switches=world.switches, telemetry=world.telemetry)
        self.export = Export(
            show_memory=self.show_memory,
            show_settings=self.show_settings,
            table=world.table,
            objects=world.profiles,
            payloads=world.payloads,
            facts=world.facts,
            kept_turns=world.kept_turns,
            company=world.companies.settings,
            clock=world.clock,
        )
        changing = ChangingRoutes(
            show_memory=self.show_memory,
            edit=self.edit,
            bring=self.bring,
            pin=self.pin,
            deny=self.deny,
            bring_facts=self.fact_routes.bringing,
            shelf=lambda user: self.shelf(user=user, typed=False),
        )
        reading = ReadingRoutes(recent_turns=self.recent_turns, show_settings=self.show_settings, export=self.export)
        undoing = UndoingRoutes(
            show_memory=self.show_memory, restore=self.restore, unlearn=self.unlearn, facts=self.rewrite_facts
        )
        self.user_routes = {
            **changing.routes,
            **reading.routes,
            **HistoryRoutes(history=self.history).routes,
            **undoing.routes,
            **UserFactRoutes(facts=self.fact_routes, shelf=lambda user: self.shelf(user=user)).routes,
        }
        self._heal = Heal(
            directory=world.directory,
            table=world.table,
            payloads=world.payloads,
            put_by=self.put_by,
            doorbells=world.doorbells,
            facts_doorbells=world.facts_doorbells,
            sweep=self.sweep,
            switches=world.switches,
            ladder=ladder,
            clock=world.clock,
            telemetry=world.telemetry,
            at_once=1,
        )
        self.status = TurnStatusQuery(table=world.table, switches=world.switches, ladder=ladder)
        self.redrive = Redrive(
            table=world.table,
            facts=world.facts,
            doorbells=world.doorbells,
            facts_doorbells=world.facts_doorbells,
            telemetry=world.telemetry,
        )
        self.inspect = Inspect(table=world.table, facts=world.facts, telemetry=world.telemetry)

    def _keep_facts(self, forgetting: Forgetting) -> None:
        """Build what people do with facts."""
        world = self.world
        self.upkeep = Upkeep(agenda=world.agenda, jobs=world.jobs, clock=world.clock, telemetry=world.telemetry)
        vectors = Vectors(embedder=lambda: self.embedder, telemetry=world.telemetry)
        count = TOKENIZERS[0].count
        self.fact_routes = FactRoutes(
            keeping=Keeping(tokens=count, vectors=vectors, clock=world.clock, telemetry=world.telemetry),
            bringing=Bringing(tokens=count, vectors=vectors, clock=world.clock, telemetry=world.telemetry),
            parting=Parting(vectors=vectors, clock=world.clock, telemetry=world.telemetry),
            clock=world.clock,
        )
        self.shelf = partial(
            UserShelf,
            store=world.facts,
            table=world.table,
            company=world.companies.settings,
            forgetting=forgetting,
            roster=world.roster,
            own_sentences=PROMPTS.sentences,
            written=FollowUsers(
                model=lambda: self.embedder.model if self.embedder else None, tables=False, upkeep=self.upkeep
            ),
            unread=self.change.following.note_facts,
        )
        self.rewrite_facts = RewriteFacts(
            shelf=lambda user: self.shelf(user=user), tokens=count, clock=world.clock, telemetry=world.telemetry
        )
        self.shared_facts = SharedFactRoutes(
            facts=self.fact_routes, shelf=self._shared_shelf, written=self.upkeep.of_shared
        )

    def _shared_shelf(self, scope: SharedScope) -> SharedShelf:
        world = self.world
        return SharedShelf(
            scope=scope,
            store=world.shared_facts,
            company=world.companies.settings,
            own_sentences=PROMPTS.sentences,
        )

    def _extract(self, model: OpenAiModel, forgetting: Forgetting, ladder: Ladder, budgets: CachedBudgets) -> None:
        """Build what extracts facts."""
        world, limits = self.world, self.limits
        self.extract = extract.Extract(
            table=world.table,
            store=world.facts,
            switches=world.switches,
            gathering=extract_gathering.Gathering(
                payloads=world.payloads,
                switches=world.switches,
                tokenizer=TOKENIZERS[0],
                clock=world.clock,
                limits=limits,
            ),
            run=extract_run.Run(
                store=world.facts,
                model=model,
                extraction=EXTRACTION_MODEL,
                scrub=MODEL,
                embedder=self.embedder,
                nearest=Nearest(indexes=WarmIndexes(), embedder=self.embedder, telemetry=world.telemetry),
                prompts=PROMPTS,
                tokenizer=TOKENIZERS[0],
                identifiers=world.identifiers,
                forgetting=forgetting,
                taken_out=TakenOut(table=world.table, forgetting=forgetting),
                following=extract_following.Following(
                    store=world.facts,
                    publishing=Publishing(indexes=[world.published], telemetry=world.telemetry),
                    upkeep=Upkeep(agenda=world.agenda, jobs=world.jobs, clock=world.clock, telemetry=world.telemetry),
                    model=self.embedder.model if self.embedder else None,
                ),
                spending=Spending(budgets=budgets, clock=world.clock, telemetry=world.telemetry),
                clock=world.clock,
                telemetry=world.telemetry,
                limits=limits,
            ),
            ladder=ladder,
            attempts=Attempts(store=world.facts, telemetry=world.telemetry),
            ending=Ending(
                store=world.facts,
                put_by=self.put_by,
                doorbells=world.facts_doorbells,
                clock=world.clock,
                telemetry=world.telemetry,
                limits=limits,
            ),
            reporting=Reporting(hasher=world.hasher, telemetry=world.telemetry),
            clock=world.clock,
            telemetry=world.telemetry,
            limits=limits,
        )
        self.answer_facts = AnswerDoorbell(
            work=self.extract,
            stage="extraction",
            doorbells=world.facts_doorbells,
            patience=Patience(),
            clock=world.clock,
            telemetry=world.telemetry,
        )

    def _tend(self, model: OpenAiModel, ladder: Ladder, budgets: CachedBudgets) -> None:
        """Build what follows a stored change."""
        world = self.world
        follow_up = FollowUp(
            table=world.table,
            tell=Telling(table=world.table, news=world.news, clock=world.clock, telemetry=world.telemetry),
            change=self.change,
            take_out=self.take_out,
            take_out_corrected=self.take_out_corrected,
            asking=Asking(
                model=model,
                prompts=PROMPTS,
                identifiers=world.identifiers,
                switches=world.switches,
                ladder=ladder,
                spending=Spending(budgets=budgets, clock=world.clock, telemetry=world.telemetry),
                agenda=world.agenda,
                clock=world.clock,
                telemetry=world.telemetry,
                limits=self.limits,
            ),
            rescrub=Rescrub(change=self.change, table=world.table, telemetry=world.telemetry, model="large"),
            condense=Condense(
                change=self.change,
                tokenizers=lambda: TOKENIZERS,
                clock=world.clock,
                telemetry=world.telemetry,
                model="large",
            ),
            agenda=world.agenda,
            telemetry=world.telemetry,
        )
        check_facts = CheckFacts(
            table=world.table,
            shelf=lambda user: self.shelf(user=user),
            rewrite=self.rewrite_facts,
            company=world.companies.settings,
            asking=follow_up.asking,
            agenda=world.agenda,
            jobs=world.jobs,
            telemetry=world.telemetry,
            model="large",
        )
        clean_up = CleanUpLegacy(
            table=world.table, objects=world.profiles, agenda=world.agenda, telemetry=world.telemetry
        )
        publishing = Publishing(indexes=[world.published], telemetry=world.telemetry)
        embed_anew = EmbedAnew(
            embedder=world.embedder,
            facts=world.facts,
            shared_facts=world.shared_facts,
            clock=world.clock,
            telemetry=world.telemetry,
        )
        refresh_user = RefreshUser(
            table=world.table,
            facts=world.facts,
            embed_anew=embed_anew,
            publishing=publishing,
            roster=world.roster,
            jobs=world.jobs,
            agenda=world.agenda,
            telemetry=world.telemetry,
        )
        refresh_shared = RefreshShared(
            company=world.companies.settings,
            facts=world.shared_facts,
            embed_anew=embed_anew,
            publishing=publishing,
            jobs=world.jobs,
            agenda=world.agenda,
            clock=world.clock,
            telemetry=world.telemetry,
        )
        self.workers: dict[JobKind, Work[Any]] = {
            JobKind.EMBED: refresh_user,
            JobKind.CHECK_FACTS: check_facts,
            JobKind.PUBLISH: refresh_shared,
            JobKind.FOLLOW_UP: follow_up,
            JobKind.CONDENSE: follow_up,
            JobKind.LEGACY: clean_up,
        }

    def tend(self, *, rounds: int = 50) -> None:
        """Do the jobs that are visible, until none is; what the world does not allow comes again in a minute."""
        self.world.clock.advance(10)
        for _ in range(rounds):
            delivery = self.world.jobs.receive()
            if delivery is None:
                return
            job = delivery.job
            try:
                self.workers[kind_of_job(job)](job, PLENTY)
            except Unavailable:
                self.world.jobs.postpone(delivery.receipt, 60)
            else:
                self.world.jobs.acknowledge(delivery.receipt)
        raise AssertionError("The jobs never end.")

    def ring_agenda(self, company_id: str = "acme") -> None:
        """Ask for everything that is due."""
        for entry in self.world.agenda.due(company_id, self.world.clock.now().date()):
            if entry.kind in self.workers:
                self.world.jobs.send(entry.job())

    def post(
        self,
        turn_id: str,
        said: str,
        user: UserKey = LENA,
        through: str | None = None,
        **fields: Any,  # noqa: ANN401 - any JSON
    ) -> str | None:
        """Post a turn in which the user said `said`, `through` a provider; the reason when nothing is kept of it."""
        document = TurnBody.model_validate(
            {
                "turn_id": turn_id,
                "space_id": "s1",
                "occurred_at": self.world.clock.now(),
                "messages": [{"role": "user", "content": said}, {"role": "assistant", "content": "All right."}],
            }
            | fields
        )
        canonical = document.canonical()
        return self.ingest(user, document.turn(), canonical, sha256(canonical), provider=through)

    def work(self) -> None:
        """Answer doorbells of turns as the queue hands them out, then those of facts, until none is visible."""
        self.consolidate_all()
        self.extract_all()

    def consolidate_all(self) -> None:
        """Answer the doorbells of turns."""
        _work_off(self.world.doorbells, self.answer)

    def extract_all(self) -> None:
        """Answer the doorbells of facts."""
        _work_off(self.world.facts_doorbells, self.answer_facts)

    def heal(self, *, at_once: int = 1) -> Healed:
        """One round of maintain, `at_once` users at the same time."""
        return replace(self._heal, at_once=at_once)(PLENTY)

    def look(self, user: UserKey = LENA) -> Wait | None:
        """What one doorbell sets off, without a queue."""
        return self.consolidate(user, Deadline.within(self.world.clock, PLENTY))

    def load(self, user: UserKey = LENA, **query: Any) -> Loaded:  # noqa: ANN401 - as LoadQuery
        """What a new chat loads."""
        return self.load_memory(LoadQuery(user=user, space_id="s1", **query))

    def memory(self, user: UserKey = LENA) -> str:
        """The Markdown that a new chat loads, empty when there is none."""
        view = self.load(user).view
        return view.memory if view else ""

    def show(self, user: UserKey = LENA, *known_etags: str) -> Remembered:
        """What the user sees of their own memory."""
        return self.show_memory(user, frozenset(known_etags))

    def record(self, turn_id: str, user: UserKey = LENA) -> TurnRecord:
        """What is recorded about a turn."""
        record = self.world.table.turn(user, turn_id)
        assert record is not None
        return record

    def learns(self, answer: str, *, gate: str = "UPDATE", scrub: str = "CLEAN") -> None:
        """Queue what the model answers to the next chain: the gate, the whole profile, the scrub."""
        self.model.queue("gate", gate)
        self.model.queue("consolidation", answer)
        self.model.queue("scrub", scrub)
