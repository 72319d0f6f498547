"""Recall and citations over one in-memory world, asked as their routes are."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import batched
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.kept_snapshots import KeptSnapshots
from context_memory.adapters.indexes.snapshot_files import write_snapshot
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.sqlite_backend import SqliteBackend
from context_memory.application.recall.ahead import Asking
from context_memory.application.recall.answering import Answering
from context_memory.application.recall.bodies import citations_body, recall_body
from context_memory.application.recall.bullets import ProfileBullets
from context_memory.application.recall.citing import Cite
from context_memory.application.recall.mending import Mending
from context_memory.application.recall.recalling import Recall
from context_memory.application.recall.scopes import WarmScopes
from context_memory.application.recall.vectors import QueryVectors
from context_memory.contracts.recall import question
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.ids import UserKey
from context_memory.domain.recall.floors import NONE
from context_memory.domain.recall.shares import TierShares
from context_memory.domain.spaces import Backend
from context_memory.ports.facts import MOST_CHANGES, FactsChange
from tests.support.facts import a_fact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from context_memory.domain.facts.fact import Fact
    from context_memory.ports.facts import Facts
    from context_memory.ports.recall import Embedder

LENA = UserKey("acme", "lena")
AT_ONCE = 8


class Published:
    """Snapshots of large scopes: `publish` is what their writer does."""

    def __init__(self) -> None:
        self._facts: dict[tuple[SharedScope, int], Sequence[Fact]] = {}

    def publish(self, scope: SharedScope, facts: Facts) -> None:
        """Publish a scope as it stands."""
        self._facts[scope, facts.head.version] = facts.facts

    def newest(self, user: UserKey, scope: SharedScope) -> int | None:  # noqa: ARG002 - rights are the real ones' tests
        """Version of the newest snapshot."""
        return max((version for of, version in self._facts if of == scope), default=None)

    def fetch(self, user: UserKey, scope: SharedScope, version: int, into: Path) -> bool:  # noqa: ARG002 - as above
        """Write a snapshot into a file."""
        write_snapshot(into, self._facts[scope, version])
        return True


class Recalls:
    """What the function `recall` is built of; `restart` is a new process."""

    def __init__(self, world: InMemoryWorld | None = None, embedder: Embedder | None = None) -> None:
        self.world = world or InMemoryWorld()
        self.embedder = embedder
        self.published = Published()
        self._running = ExitStack()
        self.restart()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()

    def restart(self) -> None:
        """Build everything anew over the same world."""
        self._running.close()
        world = self.world
        self._folder = Path(self._running.enter_context(TemporaryDirectory()))
        executor = self._running.enter_context(ThreadPoolExecutor(max_workers=AT_ONCE))
        warm, bullets = WarmScopes(world.facts), ProfileBullets(world.table, world.profiles)
        vectors = QueryVectors(
            embedder=self.embedder, executor=executor, clock=world.clock, telemetry=world.telemetry, most_seconds=5.0
        )
        self.recall = Recall(
            table=world.table,
            prompts=world.prompts,
            switches=world.switches,
            asking=Asking(warm=warm, prompts=world.prompts, bullets=bullets, vectors=vectors, executor=executor),
            answering=Answering(
                backends={name: self._backend() for name in (Backend.SQLITE_FTS, Backend.MARKDOWN_FTS)},
                warm=warm,
                bullets=bullets,
                prompts=world.prompts,
                mending=Mending(jobs=world.jobs, executor=executor, clock=world.clock, telemetry=world.telemetry),
                shares=TierShares(),
                clock=world.clock,
                telemetry=world.telemetry,
            ),
            clock=world.clock,
            telemetry=world.telemetry,
            executor=executor,
        )
        self.cite = Cite(
            table=world.table,
            prompts=world.prompts,
            facts=world.facts,
            warm=warm,
            switches=world.switches,
            telemetry=world.telemetry,
            executor=executor,
        )

    def _backend(self) -> SqliteBackend:
        snapshots = KeptSnapshots(self.published, self._folder, self.world.facts.named)
        return SqliteBackend(indexes=WarmIndexes(), snapshots=snapshots, among=partial(InMemoryIndex, floors=NONE))

    def ask(self, query: str, user: UserKey = LENA, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
        """What a chat in the space `s1` is answered, as a caller reads it."""
        body = json.dumps({"query": query, "space_id": "s1"} | fields).encode()
        told: dict[str, Any] = json.loads(json.dumps(recall_body(self.recall(user, question(body)))))
        return told

    def texts(self, query: str, user: UserKey = LENA, **fields: Any) -> list[str]:  # noqa: ANN401 - any JSON
        """The texts that a chat is given."""
        return [hit["text"] for hit in self.ask(query, user, **fields)["hits"]]

    def citations(self, answer: str, prompt_id: str, user: UserKey = LENA) -> dict[str, Any]:
        """What becomes of the markers of an answer, as a caller reads it."""
        told: dict[str, Any] = json.loads(json.dumps(citations_body(self.cite(user, answer, prompt_id))))
        return told

    def learn(self, *texts: str, user: UserKey = LENA, drops: tuple[str, ...] = (), **more: Any) -> list[Fact]:  # noqa: ANN401 - whatever a fact has
        """Store facts of a user, in one write."""
        scope, epoch = UserScope(user), self.world.table.state(user).settings.epoch
        facts = [a_fact(text, scope, **more) for text in texts]
        stands = self.world.facts.facts(user, scope)
        change = FactsChange(
            user=user,
            base=stands.head,
            epoch=epoch,
            at=self.world.clock.now(),
            puts=tuple(facts),
            drops=frozenset(drops),
            count=stands.count_after(facts, drops),
        )
        self.world.facts.change(change)
        return facts

    def share(self, *texts: str, company_id: str = "acme", space_id: str | None = None, **more: Any) -> list[Fact]:  # noqa: ANN401 - as above
        """Store facts of a space, or of the whole company."""
        scope = SharedScope(company_id, space_id)
        facts = [a_fact(text, scope, **more) for text in texts]
        for batch in batched(facts, MOST_CHANGES, strict=False):
            stands = self.world.shared_facts.facts(scope)
            self.world.shared_facts.change(scope, stands.head, batch, (), count=stands.count_after(batch))
        return facts
