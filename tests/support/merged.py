"""Two users of a company whose facts are merged, in a world of twins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.facts.fact import Fact, Source, Tier, fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import MergeJob
from context_memory.domain.links import LinkWish, Provider
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import FactsChange
from context_memory.ports.moving import MOST_MOVED
from tests.support.links import asking_of, links_of, merging_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from context_memory.domain.merging import Merge, MergeStatus

OLD, NEW = UserKey("acme", "mia"), UserKey("acme", "lena")
PHONE = Provider.read("telegram:123")
_SECONDS = 1000.0
_A_DAY = 86_400.0


class Merged:
    """A provider that goes from `OLD` to `NEW`, with facts on both sides.

    `cap`: how many facts a user may have. `at_once`: so many move together.
    """

    def __init__(self, *, cap: int = 200, at_once: int = MOST_MOVED) -> None:
        self.world = InMemoryWorld()
        self.cap = cap
        self.at_once = at_once
        self.merge_id = ""
        links_of(self.world).link("acme", PHONE, LinkWish(user_id=OLD.user_id))

    def know(self, user: UserKey, *texts: str, provider: Provider | None = PHONE, **changes: object) -> None:
        """Let a user have facts, learned through a provider unless that is None."""
        now = self.world.clock.now()
        source = Source("t-1", "c-1", provider.spelled if provider else None)
        new = (
            Fact(
                id=fact_id(UserScope(user), text),
                tier=Tier.CONTEXTUAL,
                text=text,
                tokens=3,
                created_at=now,
                last_confirmed_at=now,
                source=source,
            )
            for text in texts
        )
        self.put(user, [replace(fact, **changes) for fact in new])  # type: ignore[arg-type]  # fields of a fact

    def put(self, user: UserKey, puts: Iterable[Fact], drops: Iterable[str] = ()) -> None:
        """Change a user's facts as any other writer does."""
        stands, settings = self.world.facts.facts(user, UserScope(user)), self.world.table.state(user).settings
        puts, drops = tuple(puts), frozenset(drops)
        self.world.facts.change(
            FactsChange(
                user=user,
                base=stands.head,
                epoch=settings.epoch,
                at=self.world.clock.now(),
                puts=puts,
                drops=drops,
                count=stands.count_after(puts, drops),
            )
        )

    def facts(self, user: UserKey) -> dict[str, Fact]:
        """A user's facts by their texts."""
        return {fact.text: fact for fact in self.world.facts.facts(user, UserScope(user)).facts}

    def drop(self, user: UserKey, text: str) -> None:
        """Let a user's fact be deleted."""
        self.put(user, (), [self.facts(user)[text].id])

    def erase(self, user: UserKey) -> None:
        """Raise the fence of an erase, and sweep what is of an older epoch."""
        epoch = self.world.table.state(user).settings.epoch + 1
        self.world.table.write_settings(user, UserSettings(epoch=epoch, erased_at=self.world.clock.now()))
        for batch in self.world.remains[2].found(user, epoch):
            self.world.remains[2].delete(user, epoch, batch)

    def ask(self, **wish: object) -> Merge:
        """Link the provider to `NEW`, and ask for a merge."""
        wanted = LinkWish(user_id=NEW.user_id, merge=True, **wish)  # type: ignore[arg-type]  # fields of a wish
        merge = links_of(self.world).link("acme", PHONE, wanted).merge
        assert merge is not None
        self.merge_id = merge.merge_id
        return merge

    def undo(self) -> None:
        """Ask for the way back."""
        asking_of(self.world).undo("acme", PHONE, self.merge_id)

    def work(self) -> MergeStatus:
        """Work until the merge is at rest."""
        merging_of(self.world, cap=self.cap, at_once=self.at_once)(
            MergeJob(company_id="acme", job_id=self.merge_id), _SECONDS
        )
        self.world.steps.hook = _nothing
        return self.merge.status

    def a_day_later(self) -> None:
        """Let the agenda's merges of the next day be worked off, each of them as the round of the agenda asks."""
        self.world.clock.advance(_A_DAY)
        for entry in self.world.agenda.due("acme", self.world.clock.now().date()):
            if not isinstance(job := entry.job(), MergeJob):
                continue
            merging_of(self.world, cap=self.cap, at_once=self.at_once)(job, _SECONDS)

    @property
    def merge(self) -> Merge:
        """The merge as it stands."""
        found = self.world.merges.merge("acme", self.merge_id)
        assert found is not None
        return found

    def left_over(self) -> int:
        """Facts that are kept as moved."""
        epoch = self.world.table.state(OLD).settings.epoch
        return len(self.world.moves.moved(OLD, self.merge_id, epoch))


def dies_at(number: int) -> Callable[[str], None]:
    """A hook that lets the process die at the so manieth step, once."""
    met = 0

    def hook(step: str) -> None:
        nonlocal met
        met += 1
        if met == number:
            raise Died(step)

    return hook


class Died(BaseException):
    """The process ends here."""


def _nothing(_: str) -> None:
    pass
