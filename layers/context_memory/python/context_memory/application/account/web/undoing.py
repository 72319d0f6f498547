"""What users bring back, and what they take out of their memory by where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.answers import unlearned_facts_body, unlearning_body
from context_memory.application.account.web.changing import changed_answer
from context_memory.application.account.web.history import revision_number
from context_memory.contracts.http import PRIVATE, answer, expected_profiles, profile_etag
from context_memory.contracts.unlearning import UnlearnBody
from context_memory.domain.errors import PreconditionRequired

if TYPE_CHECKING:
    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.account.web import Routes
    from context_memory.application.changing.restore import Restore
    from context_memory.application.changing.unlearn import Unlearn
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoingRoutes:
    """Restore, unlearning. What a change has made is shown as `GET /v1/me/memory` shows it."""

    show_memory: ShowMemory
    restore: Restore
    unlearn: Unlearn
    facts: RewriteFacts

    @property
    def routes(self) -> Routes:
        """The group."""
        return {
            "POST /v1/me/memory/revisions/{n}/restore": self.post_restore,
            "POST /v1/me/unlearn": self.post_unlearn,
        }

    def post_restore(self, user: UserKey, request: Request) -> Answer:
        """Bring back what stood after a change; whoever names a version is told when another stands."""
        expected = expected_profiles(request.headers.get("if-match"))
        changed = self.restore(user, revision_number(request), expected=expected)
        return changed_answer(self.show_memory, user, changed)

    def post_unlearn(self, user: UserKey, request: Request) -> Answer:
        """Take out what was learned from a source, or say what that would do."""
        preview, expected = request.flag("preview"), expected_profiles(request.headers.get("if-match"))
        if expected is None and not preview:
            raise PreconditionRequired("A change must name the version that it was made of.")
        condemned = UnlearnBody.parse(request.body).condemnation()
        if preview:
            unlearning = self.unlearn.preview(user, condemned)
            facts = unlearned_facts_body(self.facts.preview_unlearning(user, condemned))
            etag = profile_etag(unlearning.changed.standing.version)
            return answer(200, unlearning_body(unlearning, etag) | facts, {**PRIVATE, "etag": etag})
        # The memory first: it is what `If-Match` is about, and whoever is refused by it has changed nothing.
        changed = self.unlearn.apply(user, condemned, expected=expected).changed
        facts = unlearned_facts_body(self.facts.unlearn(user, condemned))
        return changed_answer(self.show_memory, user, changed, facts)
