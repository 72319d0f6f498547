"""All twins together, sharing one clock and one hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.budgets import InMemoryBudgets
from context_memory.adapters.in_memory.companies import InMemoryCompanies, InMemoryFlags, InMemorySpaces
from context_memory.adapters.in_memory.directory import InMemoryDirectory, InMemoryRoster
from context_memory.adapters.in_memory.doorbells import InMemoryDoorbells
from context_memory.adapters.in_memory.embeddings import InMemoryEmbedder
from context_memory.adapters.in_memory.erasing import (
    InMemoryItemRemains,
    InMemoryLedger,
    InMemoryPayloadRemains,
    InMemoryTombstones,
    InMemoryVersionRemains,
)
from context_memory.adapters.in_memory.fact_moves import InMemoryFactMoves
from context_memory.adapters.in_memory.facts import InMemoryFacts
from context_memory.adapters.in_memory.jobs import InMemoryAgenda, InMemoryJobs
from context_memory.adapters.in_memory.kept_turns import InMemoryKeptTurns
from context_memory.adapters.in_memory.links import InMemoryLinks, InMemoryMerges
from context_memory.adapters.in_memory.news import InMemoryNews
from context_memory.adapters.in_memory.payloads import InMemoryTurnPayloads
from context_memory.adapters.in_memory.profiles import InMemoryProfileObjects
from context_memory.adapters.in_memory.prompt_memories import InMemoryPromptMemories
from context_memory.adapters.in_memory.published import InMemoryPublishedIndex
from context_memory.adapters.in_memory.shared_facts import InMemorySharedFacts, InMemorySharedIndexes
from context_memory.adapters.in_memory.signing import InMemorySigner
from context_memory.adapters.in_memory.steps import Steps
from context_memory.adapters.in_memory.switches import InMemorySwitches
from context_memory.adapters.in_memory.system import CountingIdentifiers, ManualClock
from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.in_memory.user_table import InMemoryUserTable
from context_memory.adapters.in_memory.walks import InMemoryWalks
from context_memory.adapters.secrets import KeyedHasher

if TYPE_CHECKING:
    from collections.abc import Callable


class InMemoryWorld:
    """A world of its own for one test; nothing in it is shared with another."""

    def __init__(self) -> None:
        self.steps = Steps()
        self.clock = ManualClock()
        self.identifiers = CountingIdentifiers()
        self.profiles = InMemoryProfileObjects(steps=self.steps, clock=self.clock)
        self.payloads = InMemoryTurnPayloads(steps=self.steps, clock=self.clock)
        self.texts = InMemoryTurnPayloads(steps=self.steps, clock=self.clock, name="texts")
        self.roster = InMemoryRoster(steps=self.steps)
        self.directory = InMemoryDirectory(
            steps=self.steps,
            payloads=self.payloads,
            texts=self.texts,
            roster=self.roster,
            profiles=self.profiles,
        )
        self.table = InMemoryUserTable(steps=self.steps)
        self.shared_facts = InMemorySharedFacts(steps=self.steps, clock=self.clock)
        self.shared_indexes = InMemorySharedIndexes(steps=self.steps)
        self.facts = InMemoryFacts(self.table, self.shared_facts)
        self.kept_turns = InMemoryKeptTurns(self.table)
        self.moves = InMemoryFactMoves(self.table)
        self.prompts = InMemoryPromptMemories(self.table, self.clock)
        self.doorbells = InMemoryDoorbells(steps=self.steps, clock=self.clock)
        self.facts_doorbells = InMemoryDoorbells(steps=self.steps, clock=self.clock, name="facts_doorbells")
        self.jobs = InMemoryJobs(steps=self.steps, clock=self.clock)
        self.agenda = InMemoryAgenda(steps=self.steps)
        self.tombstones = InMemoryTombstones(self.table)
        self.remains = (
            InMemoryVersionRemains(self.profiles),
            InMemoryPayloadRemains(self.payloads, self.texts),
            InMemoryItemRemains(self.table),
        )
        self.ledger = InMemoryLedger(steps=self.steps)
        self.signer = InMemorySigner(steps=self.steps)
        self.flags = InMemoryFlags(steps=self.steps)
        self.companies = InMemoryCompanies(steps=self.steps)
        self.walks = InMemoryWalks(steps=self.steps, companies=self.companies)
        self.spaces = InMemorySpaces(steps=self.steps)
        self.merges = InMemoryMerges(steps=self.steps)
        self.links = InMemoryLinks(self.merges, steps=self.steps)
        self.switches = InMemorySwitches(steps=self.steps)
        self.budgets = InMemoryBudgets(steps=self.steps)
        self.news = InMemoryNews(steps=self.steps)
        self.published = InMemoryPublishedIndex(steps=self.steps)
        self.embedder = InMemoryEmbedder(steps=self.steps)
        self.hasher = KeyedHasher(lambda: "the secret of this world")
        self.telemetry = RecordingTelemetry()

    def whenever(self, hook: Callable[[str], None]) -> None:
        """From now on call `hook` at every step (adapters/in_memory/steps.py)."""
        self.steps.hook = hook
