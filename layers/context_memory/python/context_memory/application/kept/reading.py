"""Reading turns whose text is kept, and putting those together that may be read at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.extract.gathered import Gathered
from context_memory.contracts.turns import TurnBody
from context_memory.domain.enablement import Asked, disabled_reason
from context_memory.domain.errors import Unavailable
from context_memory.domain.evidence import evidence_of
from context_memory.domain.outcomes import Outcome
from context_memory.domain.spaces import SpaceSettings
from context_memory.ports.facts import PendingExtraction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import Keep, KeptTurn
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.companies import Switches
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class Readable:
    """A kept turn, and what was said in it."""

    kept: KeptTurn
    gathered: Gathered

    @property
    def place(self) -> tuple[object, ...]:
        """What all turns that are read together share: what came through a channel can be parted from the rest."""
        gathered = self.gathered
        turn, pruning = gathered.turn, gathered.recall.pruning
        return turn.space_id, self.kept.provider, turn.display_name, pruning


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadKept:
    """Reads kept turns: from `texts`, or from `payloads`, where those lie that nobody has put by yet."""

    texts: TurnPayloads
    payloads: TurnPayloads
    switches: Switches
    tokenizer: Tokenizer
    telemetry: Telemetry
    limits: ChainLimits

    def __call__(self, user: UserKey, flags: CompanyFlags, kept: KeptTurn) -> Readable | None:
        """One turn; None where its space wants no such facts now, where nothing is left of it, or it cannot be read.

        Raises:
            Unavailable: a store is out of reach, or whether the space wants facts is unknown.
        """
        body = self._body(user, kept)
        try:
            return self._readable(user, flags, kept, body) if body is not None else None
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - what our code does wrong with one turn must not keep the others
            self.telemetry.warning("a kept turn cannot be read", error_type=type(error).__name__)
            return None

    def together(self, readable: Iterable[Readable], keep: Keep) -> list[tuple[Readable, ...]]:
        """Groups of turns to be read at once, each the oldest first, the group with the oldest first.

        The longer turns wait, the fewer are read together: one that a model refuses is alone at last.
        """
        groups: list[list[Readable]] = []
        open_groups: dict[tuple[object, ...], list[Readable]] = {}
        for one in readable:
            group = open_groups.get(one.place)
            if group is None or self._is_full(group, one, keep):
                open_groups[one.place] = group = []
                groups.append(group)
            group.append(one)
        return [tuple(group) for group in groups]

    def _is_full(self, group: list[Readable], one: Readable, keep: Keep) -> bool:
        tokens = sum(map(self._tokens, (*group, one)))
        most = keep.together(group[0].kept, self.limits.coalesced_turns)
        return len(group) >= most or tokens > self.limits.coalesced_evidence

    def _tokens(self, one: Readable) -> int:
        return min(self.tokenizer.count(one.gathered.evidence.words), self.limits.consolidation_evidence)

    def _body(self, user: UserKey, kept: KeptTurn) -> bytes | None:
        for place in (self.texts, self.payloads):
            if (body := place.get(user, kept.turn_id, kept.payload_sha256)) is not None:
                return body
        return None

    def _readable(self, user: UserKey, flags: CompanyFlags, kept: KeptTurn, body: bytes) -> Readable | None:
        turn = TurnBody.stored(body).turn()
        space = self.switches.space(user.company_id, turn.space_id)
        evidence = evidence_of(turn.messages, user_id=user.user_id, display_name=turn.display_name)
        recall = (space or SpaceSettings()).recall
        off = disabled_reason(flags, space, None, Asked(web_search=turn.web_search))
        if off or evidence is None or not (recall.writes_facts and recall.compaction):
            return None
        return Readable(kept, Gathered(_extraction(kept), turn, evidence, recall))


def _extraction(kept: KeptTurn) -> PendingExtraction:
    """The turn as the chain of extraction knows it, whose extraction is over."""
    return PendingExtraction(
        open_key=kept.open_key,
        turn_id=kept.turn_id,
        payload_sha256=kept.payload_sha256,
        epoch=kept.epoch,
        accepted_at=kept.accepted_at,
        occurred_at=kept.occurred_at,
        outcome=Outcome.NOOP,
        provider=kept.provider,
    )
