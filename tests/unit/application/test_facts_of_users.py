"""What users do with their own facts, in words of HTTP, and what administrators do for one user."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.fact import Source, Tier
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.state import UserSettings
from tests.support.asked_by_users import Told, ask
from tests.support.facts import a_fact
from tests.support.house import LENA, House
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Callable

LIST, ADD, SHOW = "GET /v1/me/facts", "POST /v1/me/facts", "GET /v1/me/facts/{fact_id}"
CHANGE, DELETE = "PUT /v1/me/facts/{fact_id}", "DELETE /v1/me/facts/{fact_id}"
IMPORT = "POST /v1/me/facts/import"
IBAN = "CH93 0076 2011 6238 5295 7"


def add(house: House, text: str, **more: Any) -> Told:  # noqa: ANN401 - any JSON
    return ask(house, ADD, {"text": text, **more})


def at(one: str) -> dict[str, str]:
    return {"fact_id": one}


def before(house: House, step: str, act: Callable[[], object]) -> None:
    """Do something once, before a step."""

    def strike(name: str) -> None:
        if name == f"before:{step}":
            house.world.whenever(lambda _: None)
            act()

    house.world.whenever(strike)


def test_a_fact_that_a_user_writes_stands_and_comes_from_no_turn(house: House) -> None:
    told = add(house, "  Works at \u202eNovartis.\n", tier="core", keywords=["employer", " employer "])
    assert (told.status, told.headers["cache-control"]) == (201, "private, no-store")
    fact = stands(house)["Works at Novartis."]
    assert (fact.tier, fact.keywords, fact.source, fact.tokens) == (Tier.CORE, ("employer",), Source(), 6)
    assert ask(house, SHOW, path=at(fact.id)).body == told.body
    assert ask(house, LIST).body == {"facts": [told.body], "count": 1, "next": None}
    assert ask(house, LIST).headers["etag"] == told.headers["etag"]
    assert LENA in house.world.roster.entered


def test_saying_it_again_confirms_it_and_keeps_what_is_known_of_it(house: House) -> None:
    earlier = house.world.clock.now()
    fact = a_fact("Works at Novartis.", created_at=earlier, last_confirmed_at=earlier)
    put(house, replace(fact, source=Source("t1", "c1"), uses=3, keywords=("employer",)))
    house.world.clock.advance(60)
    told = add(house, "works at  NOVARTIS")
    (fact,) = stands(house).values()
    assert (told.status, fact.text, fact.uses, fact.source) == (200, "works at NOVARTIS", 3, Source("t1", "c1"))
    assert (fact.keywords, fact.last_confirmed_at) == (("employer",), house.world.clock.now())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\u202e ", "seen"),
        ("...", "seen"),
        ("<a bullet about the user>", "models are told"),
        ("x" * 501, "500 characters"),
        (f"Pays from {IBAN}.", "never remembered"),
        ("Is afraid of dogs.", "never wants"),
    ],
    ids=["hidden", "dots", "a placeholder", "too long", "a secret", "a deny rule"],
)
def test_what_may_not_stand_is_refused_by_its_field_and_never_repeated(house: House, text: str, said: str) -> None:
    house.world.table.write_settings(LENA, UserSettings(deny_phrases=("dogs",)))
    told = add(house, text)
    assert (told.status, told.body["field"]) == (422, "text")
    assert said in told.body["detail"]
    assert text not in str(told.body)
    assert stands(house) == {}


def test_a_secret_among_the_keywords_is_one_too(house: House) -> None:
    assert add(house, "Pays by transfer.", keywords=[IBAN]).body["field"] == "text"


def test_who_has_as_many_facts_as_are_kept_is_told_so_and_may_still_confirm(house: House) -> None:
    house.world.companies.replace("acme", CompanySettings(facts_cap=20), version=None)
    put(house, *(a_fact(f"Fact number {number}.") for number in range(20)))
    told = add(house, "One more.")
    assert (told.status, told.body["field"]) == (422, "text")
    assert "at most 20" in told.body["detail"]
    assert add(house, "Fact number 7.").status == 200


def test_another_text_is_another_fact_that_remembers_the_first(house: House) -> None:
    old = a_fact("Works at Roche.", tier=Tier.CORE, uses=2, keywords=("pharma",))
    put(house, old)
    told = ask(house, CHANGE, {"text": "Works at Novartis."}, path=at(old.id))
    (fact,) = stands(house).values()
    assert (told.status, told.body["id"], fact.text) == (200, fact.id, "Works at Novartis.")
    assert (fact.tier, fact.uses, fact.keywords) == (Tier.CORE, 2, ())
    assert [past.text for past in fact.supersedes] == ["Works at Roche."]
    assert fact.id != old.id
    assert ask(house, SHOW, path=at(old.id)).status == 404


def test_a_change_that_was_made_before_is_answered_as_it_was(house: House) -> None:
    old = a_fact("Works at Roche.")
    put(house, old)
    first = ask(
        house, CHANGE, {"text": "Works at Novartis."}, path=at(old.id), if_match=ask(house, LIST).headers["etag"]
    )
    again = ask(house, CHANGE, {"text": "Works at Novartis."}, path=at(old.id), if_match='"1"')
    assert (again.status, again.body) == (200, first.body)
    assert ask(house, CHANGE, {"text": "Works at Lonza."}, path=at(old.id)).status == 404


def test_a_tier_alone_leaves_text_keywords_and_vector(house: House) -> None:
    put(house, a_fact("Works at Roche.", keywords=("pharma",)))
    one = stands(house)["Works at Roche."]
    ask(house, CHANGE, {"tier": "archival"}, path=at(one.id))
    moved = stands(house)["Works at Roche."]
    assert replace(moved, last_confirmed_at=one.last_confirmed_at) == replace(one, tier=Tier.ARCHIVAL)


def test_a_text_that_is_known_already_makes_one_of_two(house: House) -> None:
    roche, novartis = a_fact("Works at Roche.", uses=1), a_fact("Works at Novartis.", uses=2)
    put(house, roche, novartis)
    ask(house, CHANGE, {"text": "Works at Novartis"}, path=at(roche.id))
    (fact,) = stands(house).values()
    assert (fact.id, fact.uses, [past.text for past in fact.supersedes]) == (novartis.id, 3, ["Works at Roche."])
    assert house.world.facts.head(LENA, UserScope(LENA)).count == 1


def test_deleting_takes_history_along_wherever_it_stands(house: House) -> None:
    roche = a_fact("Works at Roche.")
    put(house, roche)
    ask(house, CHANGE, {"text": "Works at Novartis."}, path=at(roche.id))
    put(house, roche)  # told again
    assert ask(house, DELETE, path=at(roche.id)).status == 204
    (fact,) = stands(house).values()
    assert (fact.text, fact.supersedes) == ("Works at Novartis.", ())
    assert ask(house, DELETE, path=at(roche.id)).status == 404


def test_what_was_deleted_is_brought_back_by_no_file_but_by_the_user(house: House) -> None:
    put(house, one := a_fact("Has a dog named Rex."))
    ask(house, DELETE, path=at(one.id))
    told = ask(house, IMPORT, {"facts": ["Has a dog named Rex."]})
    assert told.body["lines"] == [{"line": 1, "result": "refused", "reason": "forgotten"}]
    assert add(house, "Has a dog named Rex.").status == 201
    assert ask(house, IMPORT, {"facts": ["Has a dog named Rex."]}).body["merged"] == 1


def test_correcting_a_spelling_forgets_nothing(house: House) -> None:
    put(house, one := a_fact("Works at Novartis in Basel"))
    ask(house, CHANGE, {"text": "In Basel works at Novartis"}, path=at(one.id))
    assert ask(house, IMPORT, {"facts": ["In Basel works at Novartis"]}).body["merged"] == 1


@pytest.mark.parametrize("route", [ADD, CHANGE, DELETE])
def test_whoever_names_a_version_that_stands_no_more_is_told_the_one_that_does(house: House, route: str) -> None:
    put(house, one := a_fact("Works at Roche."))
    version = ask(house, LIST).headers["etag"]
    document = None if route == DELETE else {"text": "Works at Novartis."}
    told = ask(house, route, document, path={} if route == ADD else at(one.id), if_match='"7"')
    assert (told.status, told.headers["etag"]) == (412, version)
    assert list(stands(house)) == ["Works at Roche."]
    assert ask(house, route, document, path={} if route == ADD else at(one.id), if_match=version).status < 300


def test_a_write_back_between_look_and_write_is_not_lost(house: House) -> None:
    before(house, "table.change_facts", lambda: put(house, a_fact("Writes Rust.")))
    assert add(house, "Works at Novartis.").status == 201
    assert set(stands(house)) == {"Writes Rust.", "Works at Novartis."}


def test_whom_others_keep_from_writing_is_asked_to_come_again(house: House) -> None:
    numbers = iter(range(100))

    def strike(name: str) -> None:
        if name == "before:table.change_facts":
            house.world.whenever(lambda _: None)
            put(house, a_fact(f"Fact number {next(numbers)}."))
            house.world.whenever(strike)

    house.world.whenever(strike)
    assert add(house, "Works at Novartis.").status == 503


def test_a_rule_that_comes_in_between_counts(house: House) -> None:
    rules = UserSettings(deny_phrases=("Novartis",), rules=1)
    before(house, "table.change_facts", lambda: house.world.table.write_settings(LENA, rules))
    assert (add(house, "Works at Novartis.").status, stands(house)) == (422, {})


@pytest.mark.parametrize(
    ("settings", "status"), [(UserSettings(context_memory=False), 409), (UserSettings(erase_running=True), 503)]
)
@pytest.mark.parametrize("route", [ADD, CHANGE, DELETE, IMPORT])
def test_where_there_is_no_memory_nothing_is_written(
    house: House, route: str, settings: UserSettings, status: int
) -> None:
    put(house, one := a_fact("Works at Roche."))
    house.world.table.write_settings(LENA, settings)
    document = {ADD: {"text": "x y"}, CHANGE: {"tier": "core"}, IMPORT: {"facts": ["x y"]}}.get(route)
    told = ask(house, route, document, path=at(one.id) if "{" in route else {})
    assert told.status == status


def test_a_company_that_was_closed_takes_no_facts(house: House) -> None:
    house.world.companies.close("acme", "01WALK")
    assert add(house, "Works at Novartis.").status == 409


def test_pages_follow_one_another_and_can_be_of_one_tier(house: House) -> None:
    put(house, *(a_fact(f"Fact {n}.", tier=Tier.CORE if n % 2 else Tier.ARCHIVAL) for n in range(7)))
    seen: list[str] = []
    following: str | None = ""
    while following is not None:
        query = {"limit": "2", "tier": "core"} | ({"after": following} if following else {})
        page = ask(house, LIST, query=query).body
        assert (len(page["facts"]) <= 2, page["count"]) == (True, 7)
        seen += [fact["text"] for fact in page["facts"]]
        following = page["next"]
    assert sorted(seen) == ["Fact 1.", "Fact 3.", "Fact 5."]


@pytest.mark.parametrize("query", [{"tier": "ephemeral"}, {"tier": "x"}, {"after": "x"}, {"limit": "501"}])
def test_a_question_that_cannot_be_answered_names_the_parameter(house: House, query: dict[str, str]) -> None:
    told = ask(house, LIST, query=query)
    assert (told.status, told.body["field"]) == (422, next(iter(query)))


def test_an_id_that_could_be_none_names_no_fact(house: House) -> None:
    assert ask(house, SHOW, path=at("nobody")).status == 404


def test_an_administrator_sees_deletes_and_brings_facts_of_one_user(house: House) -> None:
    user = "/v1/companies/{company_id}/users/{user_id}/facts"
    path = {"company_id": "acme", "user_id": "lena"}
    assert ask(house, f"POST {user}/import", {"markdown": "- Works at Novartis."}, path=path).body["stored"] == 1
    (fact,) = ask(house, f"GET {user}", path=path).body["facts"]
    assert fact["text"] == "Works at Novartis."
    assert ask(house, f"DELETE {user}/{{fact_id}}", path=path | at(fact["id"])).status == 204
    assert stands(house) == {}


def test_a_store_that_is_out_of_reach_answers_nothing(house: House) -> None:
    def strike(name: str) -> None:
        if name == "before:table.change_facts":
            raise StoreUnavailable("away")

    house.world.whenever(strike)
    told = add(house, "Works at Novartis.")
    assert (told.status, told.headers["retry-after"]) == (503, "5")


def test_no_line_and_no_metric_holds_what_a_fact_says(house: House) -> None:
    add(house, "Works at Novartis.")
    ask(house, IMPORT, {"facts": ["Lives in Basel.", f"Pays from {IBAN}."]})
    ask(house, DELETE, path=at(stands(house)["Lives in Basel."].id))
    told = repr((house.world.telemetry.lines, house.world.telemetry.counts))
    assert "facts_written_total" in told
    assert not any(said in told for said in ("Novartis", "Basel", "0076", *(one.id for one in stands(house).values())))
