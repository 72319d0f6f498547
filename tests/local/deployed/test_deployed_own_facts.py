"""Facts that people write, over HTTP: users with tokens of their own, administrators with IAM."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.support.administrators import Administrator
from tests.support.deployed import eventually
from tests.support.end_users import Owner

if TYPE_CHECKING:
    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked, Said

pytestmark = pytest.mark.deployed
NOVARTIS = "Works at Novartis in Basel."


@pytest.fixture
def owner(deployed: Deployed, lena: Somebody) -> Owner:
    """Lena herself."""
    return Owner(deployed, lena.key.user_id)


def test_a_users_facts_are_written_changed_and_deleted_by_them_alone(owner: Owner, deployed: Deployed) -> None:
    added = owner.call("POST", "facts", {"text": "Works at Roche.", "tier": "core"})
    assert added.status_code == 201, added.text
    changed = owner.call("PUT", f"facts/{added.json()['id']}", {"text": NOVARTIS})
    assert (changed.status_code, changed.json()["supersedes"][0]["text"]) == (200, "Works at Roche.")
    one = changed.json()["id"]
    assert owner.get("facts")["facts"] == [changed.json()]
    stranger = Owner(deployed, deployed.newcomer().key.user_id)
    assert (stranger.get("facts")["count"], stranger.call("DELETE", f"facts/{one}").status_code) == (0, 404)
    assert owner.call("DELETE", f"facts/{one}").status_code == 204
    assert owner.get("facts") == {"facts": [], "count": 0, "next": None}
    refused = owner.call("POST", "facts/import", {"facts": [NOVARTIS]}).json()["lines"]
    assert refused == [{"line": 1, "result": "refused", "reason": "forgotten"}]


def test_what_a_restore_or_a_file_in_its_place_takes_out_of_the_memory_is_no_fact_any_more(owner: Owner) -> None:
    def facts() -> set[str]:
        return {fact["text"] for fact in owner.get("facts")["facts"]}

    owner.edits(Identity=["Lives in Basel."])
    for text in ("Lives in Basel.", "Likes Basel."):
        owner.call("POST", "facts", {"text": text})
    file = {"memory": "## Identity\n- Works at Lonza.\n"}
    brought = owner.call("POST", "import?mode=replace", file, **{"if-match": owner.etag()})
    assert (brought.status_code, facts()) == (200, {"Likes Basel."})
    owner.call("POST", "facts", {"text": "Works at Lonza."})
    restored = owner.call("POST", "memory/revisions/1/restore", **{"if-match": owner.etag()})
    assert (restored.status_code, facts()) == (200, {"Likes Basel."})


def test_what_a_user_types_is_read_behind_them_and_goes_where_it_may_not_stand(
    owner: Owner, deployed: Deployed
) -> None:
    before = deployed.model.script_of("scrub")

    def read(asked: Asked) -> Said:
        named = re.findall(r"^(\d+): .*Gerber", asked.said_by("user"), re.MULTILINE)
        return "\n".join(f"{number} DROP" for number in named) or before(asked)

    deployed.model.script("scrub", read)
    owner.call("POST", "facts", {"text": "Plays chess."})
    owner.call("POST", "facts", {"text": "Manages the money of Mr Gerber.", "keywords": ["Gerber"]})

    def facts() -> set[str]:
        return {fact["text"] for fact in owner.get("facts")["facts"]}

    assert eventually(facts, lambda found: "Manages the money of Mr Gerber." not in found) == {"Plays chess."}
    refused = owner.call("POST", "facts/import", {"facts": ["Manages the money of Mr Gerber."]}).json()["lines"]
    assert refused == [{"line": 1, "result": "refused", "reason": "forgotten"}]


def test_a_token_that_only_reads_changes_no_fact(owner: Owner, deployed: Deployed) -> None:
    reader = Owner(deployed, owner.user_id, scope="memory")
    assert reader.call("POST", "facts", {"text": NOVARTIS}).status_code == 403
    assert reader.call("GET", "facts").status_code == 200


def test_two_writers_at_once_lose_nothing_and_keep_count(owner: Owner) -> None:
    def add(number: int) -> int:
        return owner.call("POST", "facts", {"text": f"Fact number {number % 4}."}).status_code

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(add, range(8)))
    assert set(answers) <= {200, 201, 503}  # who is kept from it five times is asked to come again
    listed = owner.get("facts")
    assert listed["count"] == len(listed["facts"]) == len({fact["text"] for fact in listed["facts"]})
    assert answers.count(201) == listed["count"]


def test_a_file_of_many_facts_is_stored_whole_and_an_administrator_sees_it(owner: Owner, deployed: Deployed) -> None:
    lines = "\n".join(f"- Fact number {number}." for number in range(120))
    preview = owner.call("POST", "facts/import?preview=true", {"markdown": f"# archival\n{lines}"})
    assert (preview.status_code, owner.get("facts")["count"]) == (200, 0)
    told = owner.call("POST", "facts/import", {"markdown": f"# archival\n{lines}"})
    assert told.json() == preview.json()
    assert told.json()["stored"] == 120
    path = f"/users/{owner.user_id}/facts"
    seen = Administrator(deployed, "acme").call("GET", f"{path}?limit=500&tier=archival")
    assert (seen.status_code, len(seen.json()["facts"])) == (200, 120)
    one = seen.json()["facts"][0]["id"]
    assert Administrator(deployed, "acme").call("DELETE", f"{path}/{one}").status_code == 204
    assert owner.get("facts")["count"] == 119


@pytest.mark.parametrize("scope", ["", "/spaces/own-facts=2F=C3=BC"], ids=["company", "space"])
def test_administrators_keep_facts_that_a_company_shares(deployed: Deployed, scope: str) -> None:
    admin = Administrator(deployed, "acme")
    told = admin.call("POST", f"{scope}/facts/import", {"jsonl": '"Expenses are filed by the 5th."\n"x y"\n{'})
    assert told.status_code == 200, told.text
    assert (told.json()["stored"], told.json()["refused"]) == (2, 1)
    export = admin.call("GET", f"{scope}/facts/export").json()
    ids = {fact["text"]: fact["id"] for fact in export["facts"]}
    changed = admin.call("PUT", f"{scope}/facts/{ids['x y']}", {"text": "The office closes at 18:00.", "tier": "core"})
    assert (changed.status_code, changed.json()["supersedes"]) == (200, [])
    shown = admin.call("GET", f"{scope}/facts?tier=core").json()["facts"]
    assert shown == [changed.json()]
    for one in (changed.json()["id"], ids["Expenses are filed by the 5th."]):
        assert admin.call("DELETE", f"{scope}/facts/{one}").status_code == 204
    assert admin.call("GET", f"{scope}/facts").json()["count"] == 0
