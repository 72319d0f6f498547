"""Facts in the deployed tables, put there with root-like keys, and recall as an orchestrator asks for it."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from context_memory.adapters.dynamodb.company_table import CompanyTable
from context_memory.adapters.dynamodb.facts import DynamoFacts
from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
from context_memory.adapters.dynamodb.state import DynamoUserStates
from context_memory.adapters.dynamodb.table import Table
from context_memory.adapters.dynamodb.writes import Writes
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.ports.facts import FactsChange
from tests.support.deployed import SPACE
from tests.support.facts import a_fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from botocore.credentials import Credentials

    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from tests.support.deployed import Deployed, Somebody


_TRIES = 5


class _Root:
    """Signs with the client's own keys, whoever the user is."""

    @contextmanager
    def signing(self, _user: UserKey, _role: Role) -> Iterator[None]:
        yield


@dataclass(frozen=True)
class FactsOf:
    """One user, the facts that they may recall, and what they are given."""

    somebody: Somebody

    @property
    def deployed(self) -> Deployed:
        """The service."""
        return self.somebody.deployed

    @cached_property
    def _table(self) -> Table:
        outputs = self.deployed.local.outputs
        credentials = cast("UserCredentials", _Root())
        return Table(client=self.deployed.dynamodb, name=outputs.user_table, credentials=credentials)

    @cached_property
    def _facts(self) -> DynamoFacts:
        return DynamoFacts(Writes(table=self._table), self.deployed.local.outputs.company_table)

    def learn(self, *texts: str, drops: tuple[str, ...] = (), **more: Any) -> list[Fact]:  # noqa: ANN401 - whatever a fact has
        """Store facts of the user, on top of what jobs write of them meanwhile."""
        user = self.somebody.key
        scope, epoch = UserScope(user), DynamoUserStates(self._table).state(user).settings.epoch
        facts = [a_fact(text, scope, **more) for text in texts]
        for _ in range(_TRIES):
            stands = self._facts.facts(user, scope)
            change = FactsChange(
                user=user,
                base=stands.head,
                epoch=epoch,
                at=datetime.now(UTC),
                puts=tuple(facts),
                drops=frozenset(drops),
                count=stands.count_after(facts, drops),
            )
            with suppress(CommitRefused):
                self._facts.change(change)
                return facts
        raise AssertionError(f"others wrote first {_TRIES} times")

    def share(self, *texts: str, space_id: str | None = None, **more: Any) -> list[Fact]:  # noqa: ANN401 - likewise
        """Store facts of a space of the user's company, or of the whole company."""
        table = CompanyTable(
            client=self.deployed.dynamodb,
            name=self.deployed.local.outputs.company_table,
            own_role=nullcontext,
        )
        shared = DynamoSharedFacts(table, lambda: datetime.now(UTC))
        scope = SharedScope(self.somebody.key.company_id, space_id)
        facts = [a_fact(text, scope, **more) for text in texts]
        stands = shared.facts(scope)
        shared.change(scope, stands.head, facts, (), count=stands.count_after(facts))
        return facts

    def post(self, route: str, body: object, *, keys: Credentials | None = None) -> httpx.Response:
        """One request about the user's facts."""
        path = f"{self.somebody.path}/{route}"
        content = json.dumps(body).encode()
        return self.deployed.call("POST", path, content=content, keys=keys or self.somebody.keys)

    def ask(self, query: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
        """What the user's chat is answered."""
        answer = self.post("recall", {"query": query, "space_id": SPACE} | fields)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def texts(self, query: str, **fields: Any) -> list[str]:  # noqa: ANN401 - any JSON
        """The texts that the chat is given."""
        return [hit["text"] for hit in self.ask(query, **fields)["hits"]]

    def cite(self, answer: str, prompt_id: str) -> dict[str, Any]:
        """What becomes of the markers of an answer."""
        told = self.post("citations", {"answer": answer, "prompt_id": prompt_id})
        assert told.status_code == 200, told.text
        return dict(told.json())
