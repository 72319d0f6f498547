"""One way for every change that rests on no turn: look, make, admit, fit, commit.

What must follow a stored change (news of it, a scrub of what was typed) is noted before the commit: whenever this
process dies, either both are there, or somebody looks after a change that never was and finds nothing to do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import UNSCRUBBED, Changed, Standing
from context_memory.application.commit.base import read_base
from context_memory.application.commit.storing import Overtaken, Storing
from context_memory.domain import budget
from context_memory.domain.admitting import Gatekeeper
from context_memory.domain.company_settings import policy_version
from context_memory.domain.errors import Contended, EraseRunning, MemorySwitchedOff, OverCap, ProfileConflict
from context_memory.domain.facts.likeness import said_by
from context_memory.domain.last_line import without_secrets
from context_memory.domain.operations import OperationKind, diff
from context_memory.domain.profile import fold
from context_memory.domain.rendering import render
from context_memory.domain.revision import Revision
from context_memory.domain.writers import UNLEARNING, Writer
from context_memory.ports.users import Settlement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from context_memory.application.changing.following import Following
    from context_memory.application.changing.wanted import Make, Version, Wanted
    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.admitting import Admitted
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets, Profile, Section
    from context_memory.domain.state import ProfilePointer
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import Usage
    from context_memory.ports.models import Prompts
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_TRIES = 5
_TYPED = frozenset({Writer.USER})
"""Writers whose links are the user's own."""
_HEEDS_FORGETTING = frozenset({Writer.IMPORT, Writer.MIGRATION, Writer.SCRUB, Writer.CONDENSATION}) | UNLEARNING
"""Writers that must not bring back what was forgotten; what users type is their newest wish."""
_TELLS_AGAIN = frozenset({Writer.USER, Writer.RESTORE})
"""Writers whose word is newer than any forgetting: what they store does not count as forgotten any more."""
_REFUSES = frozenset({Writer.USER})
"""Writers that are told that their text is too long; what others bring is trimmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The use case below edits, imports, restores and their like.

    `tokenizers` are those of the index, first the one that the cap is counted with.
    """

    table: UserTable
    objects: ProfileObjects
    company: Callable[[str], StoredSettings]
    prompts: Prompts
    tokenizers: Callable[[], Sequence[Tokenizer]]
    forgetting: Forgetting
    following: Following
    clock: Clock
    telemetry: Telemetry

    def __call__(
        self,
        user: UserKey,
        writer: Writer,
        make: Make,
        *,
        expected: frozenset[Version] | None = None,
        model: str | None = None,
        usage: tuple[Usage, ...] = (),
    ) -> Changed:
        """Store what `make` wants, over what stands.

        Args:
            user: whose profile.
            writer: who makes the change.
            make: says what is wanted; called again when somebody was faster and no version was named.
            expected: the versions that the caller has seen; one of them must stand, or what is wanted stands because
                the same writer has changed one of them to it.
            model: what made the text, for the revision, with the `usage` it took.
            usage: see `model`.

        Raises:
            ProfileConflict: none of the expected versions stands; names the one that does.
            MemorySwitchedOff, EraseRunning: there is no memory to change.
            OverCap: what the user typed is too long.
            ProfileUnreadable, SchemaNewer: nothing may be written over what is stored.
            Unavailable: it is not stored, or it is unknown whether it is.
        """
        lost: Overtaken | None = None
        for _ in range(_TRIES):
            standing = self.look(user)
            changed, wanted = self._made(user, writer, make, standing, expected)
            if wanted is None or not (changed.operations or _moves(writer, standing)):
                return changed
            try:
                return self._commit(user, writer, changed, wanted, model=model, usage=usage)
            except Overtaken as race:
                self.telemetry.count("commit_conflicts_total", writer=writer.value)
                lost = race
        raise Contended("Others keep changing this profile.") from lost

    def preview(
        self, user: UserKey, writer: Writer, make: Make, *, expected: frozenset[Version] | None = None
    ) -> Changed:
        """What would become of the same change; nothing is stored.

        Raises:
            As the change itself.
        """
        return self._made(user, writer, make, self.look(user), expected)[0]

    def look(self, user: UserKey) -> Standing:
        """What stands now.

        Raises:
            MemorySwitchedOff: also where the company was closed to be erased: nothing may come back into it.
            EraseRunning, ProfileUnreadable, SchemaNewer, Unavailable.
        """
        stored, state = self.company(user.company_id), self.table.state(user)
        company = stored.settings
        if state.settings.erase_running:
            raise EraseRunning("The user's memory is being erased.")
        if not state.settings.context_memory:
            raise MemorySwitchedOff("The user has switched memory off.")
        if stored.closed:
            raise MemorySwitchedOff("The company was closed to be erased.")
        policy = policy_version(self.prompts.policy_version, company.allowed_special, state.settings.denied)
        base = read_base(self.objects, user, state, policy, legacy=company.legacy)
        return Standing(base=base, state=state, company=company, policy_version=policy)

    def _made(
        self, user: UserKey, writer: Writer, make: Make, standing: Standing, expected: frozenset[Version] | None
    ) -> tuple[Changed, Wanted | None]:
        """The change over what stands, and what was wanted; None where nothing was."""
        faster = expected is not None and standing.version not in expected
        wanted = make(standing)
        if wanted is None:
            if faster:
                raise ProfileConflict(standing.version)
            return self._nothing(standing), None
        gatekeeper = self._gatekeeper(user, writer, standing)
        admitted = gatekeeper.admit(standing.bullets, wanted.bullets)
        pins = standing.state.settings.pins if wanted.pins is None else wanted.pins(admitted.bullets)
        stands = admitted.bullets.same_as(standing.bullets) and pins == standing.state.settings.pins
        if faster and not (stands and self._has_answered(user, writer, standing, expected or ())):
            raise ProfileConflict(standing.version)
        profile = self._fitted(writer, standing, admitted, pins, truncated=wanted.truncated)
        changed = Changed(
            standing=standing,
            profile=profile,
            stored=False,
            operations=diff(standing.bullets, profile.bullets),
            dropped=admitted.dropped,
            cut=_cut(admitted.bullets, profile.bullets),
            hits=admitted.hits,
            tokens=self._tokens(profile),
            pins=pins,
        )
        return changed, wanted

    def _has_answered(self, user: UserKey, writer: Writer, standing: Standing, expected: Iterable[Version]) -> bool:
        """Whether the same writer's change came next behind what is expected: its answer was lost."""
        epoch, now = standing.version
        last = max((count for named, count in expected if named == epoch and count < now), default=None)
        after = None if last is None else self.table.revision(user, epoch, last + 1)
        return after is not None and after.writer is writer

    def _nothing(self, standing: Standing) -> Changed:
        profile = standing.base.profile
        return Changed(
            standing=standing,
            profile=profile,
            stored=False,
            operations=(),
            dropped=(),
            cut=(),
            hits={},
            tokens=self._tokens(profile),
            pins=standing.state.settings.pins,
        )

    def _gatekeeper(self, user: UserKey, writer: Writer, standing: Standing) -> Gatekeeper:
        return Gatekeeper(
            own_sentences=self.prompts.sentences(),
            deny_phrases=standing.state.settings.deny_phrases,
            forgotten=self._forgotten(user, writer),
            own_hosts=writer in _TYPED,
        )

    def _forgotten(self, user: UserKey, writer: Writer) -> Callable[[str], bool]:
        if writer is Writer.RESTORE:  # which undoes a forgetting as long as it can be undone
            return self.forgetting.for_good(user)
        return self.forgetting.ever(user) if writer in _HEEDS_FORGETTING else lambda _: False

    def _fitted(
        self, writer: Writer, standing: Standing, admitted: Admitted, pins: frozenset[str], *, truncated: bool
    ) -> Profile:
        base, cap, now = standing.base, standing.company.max_tokens, self.clock.now()
        if admitted.bullets.same_as(base.profile.bullets) and not _moves(writer, standing):
            return base.profile
        profile = replace(
            base.profile,
            bullets=admitted.bullets,
            truncated=truncated,
            turn_count=base.profile.turn_count + 1,
            last_updated=now.replace(microsecond=0),
        )
        tokens = self._tokens(profile)
        if tokens <= cap or _moves(writer, standing) or tokens <= self._tokens(base.profile):
            # Who moves a file loses nothing of it; and what was too long before and is no longer now is condensed by
            # what follows, rather than trimmed here.
            return profile
        if writer in _REFUSES:
            raise OverCap(tokens, cap)
        return budget.fit(profile, cap, self.tokenizers()[0], pins=pins, today=now.date(), written=base.written)

    def _commit(
        self,
        user: UserKey,
        writer: Writer,
        changed: Changed,
        wanted: Wanted,
        *,
        model: str | None,
        usage: tuple[Usage, ...],
    ) -> Changed:
        standing, profile = changed.standing, changed.profile
        settings = standing.state.settings
        moved = None if changed.pins == settings.pins else changed.pins
        policy, now = wanted.policy_version or _unscrubbed(changed), self.clock.now()
        self.following.note(user, standing, turn_count=profile.turn_count)
        if wanted.forgets:
            lost = [one.before for one in diff(standing.bullets, wanted.bullets) if one.before is not None]
            self.forgetting.remember(user, settings.epoch, lost, now)
        storing = Storing(
            objects=self.objects,
            table=self.table,
            tokenizers=self.tokenizers(),
            telemetry=self.telemetry,
            policy_version=policy,
        )

        def settlement(pointer: ProfilePointer) -> Settlement:
            return Settlement(
                user=user,
                epoch=settings.epoch,
                finished_at=now,
                base=standing.base.pointer,
                pointer=pointer,
                rules=settings.rules,
                pins=moved,
                revision=Revision(
                    epoch=pointer.epoch,
                    turn_count=pointer.turn_count,
                    version_id=pointer.version_id,
                    writer=writer,
                    written_at=now,
                    operations=tuple(map(without_secrets, changed.operations)),
                    model=model,
                    prompt_version=self.prompts.version if model else None,
                    policy_version=policy or None,
                    usage=usage,
                    reason=wanted.reason,
                    restored=wanted.restored,
                    unlearned=wanted.unlearned,
                    let_go=_let_go(changed, wanted),
                    moved_legacy=standing.base.legacy,
                ),
            )

        storing.store(user, settings.epoch, standing.base, profile, settlement)
        if writer in _TELLS_AGAIN:
            told = [one.after for one in changed.operations if one.after is not None]
            self.forgetting.told_again(user, told, now)
        self.telemetry.event("stored a change that rests on no turn", writer=writer.value)
        return replace(changed, profile=profile, stored=True)

    def _tokens(self, profile: Profile) -> int:
        return self.tokenizers()[0].count(render(profile))


def _unscrubbed(changed: Changed) -> str:
    """The policy that what stands then was checked under, although nobody has looked at the change itself."""
    pointer = changed.standing.base.pointer
    only_losses = all(operation.kind is OperationKind.REMOVED for operation in changed.operations)
    return pointer.policy_version if pointer and only_losses else UNSCRUBBED


def _cut(admitted: Bullets, stands: Bullets) -> tuple[tuple[Section, str], ...]:
    kept = {(section, fold(text)) for section, text in stands.items()}
    return tuple((section, text) for section, text in admitted.items() if (section, fold(text)) not in kept)


def _let_go(changed: Changed, wanted: Wanted) -> tuple[int, ...]:
    """Places of the operations by which something went on purpose: neither for want of room, nor to come as a fact."""
    if not wanted.corrects:
        return ()
    cut = {fold(text) for _, text in changed.cut}  # in whichever section it was to stand
    lost = {
        place: one.before
        for place, one in enumerate(changed.operations)
        if one.before is not None and fold(one.before) not in cut
    }
    return tuple(place for place, text in lost.items() if not said_by(wanted.brings, (text,)))


def _moves(writer: Writer, standing: Standing) -> bool:
    """Whether the change takes a file from its legacy place, which stores it even as it is."""
    return writer is Writer.MIGRATION and standing.base.legacy
