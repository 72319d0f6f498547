"""A fact that comes back when what took its place is withdrawn is found by its words at once, and gets a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Past, Source
from context_memory.domain.jobs import JobKind, UserJob
from tests.support.facts import a_fact
from tests.support.house import LENA, House
from tests.support.kept_facts import put, stands
from tests.support.recalling import Recalls

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact

ACME, GLOBEX = "Works at Acme.", "Works at Globex."


def replaced(house: House) -> None:
    """Lena works elsewhere now, says one turn; another turn stands in its place, and says nothing of it."""
    now = house.world.clock.now()
    house.model.script("gate", lambda _: "NOOP")
    house.post("t1", "I work at Globex now.")
    house.work()
    past = Past("a" * 20, ACME, now, source=Source("t0"))
    put(house, a_fact(GLOBEX, source=Source("t1"), created_at=now, last_confirmed_at=now, supersedes=(past,)))
    house.world.clock.advance(60)
    house.post("t2", "What a day!", supersedes_turn_id="t1")
    house.work()


def embeds(house: House) -> int:
    """How often vectors and tables were asked for."""
    jobs = [message.job for message in house.world.jobs.sent]
    return jobs.count(UserJob(kind=JobKind.EMBED, user=LENA))


def restored(house: House) -> Fact:
    (fact,) = stands(house).values()
    return fact


def test_it_is_recalled_by_its_words_before_anybody_has_embedded_it(house: House) -> None:
    replaced(house)
    assert (restored(house).text, restored(house).vector) == (ACME, None)
    with Recalls(house.world, house.world.embedder) as recalls:
        assert recalls.texts("Where does she work? At Acme?") == [ACME]


def test_it_gets_its_vector_by_the_job_that_is_asked_for_with_it(house: House) -> None:
    replaced(house)
    assert embeds(house) == 1
    house.tend()
    assert restored(house).vector is not None


def test_where_only_facts_go_tables_follow_too(house: House) -> None:
    now = house.world.clock.now()
    put(house, a_fact("Owns a canoe.", created_at=now, last_confirmed_at=now))
    house.world.clock.advance(60)
    house.model.script("gate", lambda _: "FORGET")
    house.model.script("consolidation", lambda _: "NOOP")
    house.post("t1", "Forget that I own a canoe.")
    house.work()
    assert stands(house) == {}
    assert embeds(house) == 1


def test_a_turn_that_leaves_the_facts_alone_asks_for_nothing(house: House) -> None:
    house.model.script("gate", lambda _: "FORGET")
    house.model.script("consolidation", lambda _: "NOOP")
    house.post("t1", "Forget that I own a canoe.")
    house.work()
    assert embeds(house) == 0
