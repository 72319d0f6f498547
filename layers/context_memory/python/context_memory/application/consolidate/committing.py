"""Making the end of a chain count: the profile, if there is a new one, with the turns' outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.commit.storing import Storing
from context_memory.application.consolidate.gathered import newest
from context_memory.application.consolidate.settling import Provenance, ended, stored
from context_memory.domain.errors import Unavailable
from context_memory.domain.operations import diff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.changing.following import Following
    from context_memory.application.commit.base import Base
    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.task import Ending
    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.company_settings import Retention
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserState
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import Usage
    from context_memory.ports.models import Prompts
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Committing:
    """Commits ends. `tokenizers` are those of the index."""

    objects: ProfileObjects
    table: UserTable
    prompts: Prompts
    tokenizers: Sequence[Tokenizer]
    forgetting: Forgetting
    following: Following
    sweep: Sweep
    clock: Clock
    telemetry: Telemetry

    def __call__(
        self,
        user: UserKey,
        state: UserState,
        base: Base | None,
        turns: tuple[GatheredTurn, ...],
        *,
        ending: Ending,
        retention: Retention,
        usage: tuple[Usage, ...],
        policy_version: str,
    ) -> None:
        """Commit `ending` over `base`, which is None where the stored profile cannot be read and nothing replaces it.

        `usage` and `policy_version` are those of the chain that ended, `retention` says how long history is kept.

        Raises:
            Overtaken: another change was committed, the turns ended, or memory was erased or switched off.
            Unavailable: it is not stored, or it is unknown whether it is: come again and see.
        """
        storing = Storing(
            objects=self.objects,
            table=self.table,
            tokenizers=self.tokenizers,
            telemetry=self.telemetry,
            policy_version=policy_version,
        )
        settled = ended(user, state, turns, ending, self.clock.now())
        profile = ending.profile
        if base is None or profile is None:
            storing.settle(settled)
            if base is not None and base.covered:
                self._sweep(user)
            return
        # Before the commit: what is gone must be known as forgotten, and what is to be done later noted, whenever this
        # process dies.
        self.following.note_upkeep(user, retention, turn_count=profile.turn_count)
        self.forgetting.remember(user, state.settings.epoch, ending.forgotten, newest(turns))
        if base.legacy:
            self.following.note_moved(user)
        provenance = Provenance(
            model=turns[0].model,
            prompt_version=self.prompts.version,
            policy_version=policy_version,
            usage=usage,
        )
        storing.store(
            user,
            state.settings.epoch,
            base,
            profile,
            lambda pointer: stored(
                settled, base, profile, pointer, turns=turns, provenance=provenance, rules=state.settings.rules
            ),
        )
        told = [one.after for one in diff(base.profile.bullets, profile.bullets) if one.after is not None]
        self.forgetting.told_again(user, told, settled.finished_at)
        if storing.met_orphan:
            self._sweep(user, storing.committed)

    def _sweep(self, user: UserKey, committed: str | None = None) -> None:
        try:
            self.sweep(user, below=committed)
        except Unavailable as error:  # maintain sweeps as well
            self.telemetry.warning("could not sweep after a commit", error_type=type(error).__name__)
