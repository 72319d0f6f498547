from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import batched
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.dynamodb.attributes import spelled_all
from context_memory.adapters.dynamodb.link_items import merge_item
from context_memory.domain.errors import CommitRefused, VersionConflict
from context_memory.domain.ids import UserKey
from context_memory.domain.links import Declaration, Link, LinkChange, Origin, Provider, following
from context_memory.domain.merging import Merge, MergeStatus
from context_memory.ports.links import MOST_LINK_CHANGES
from tests.support.stores import COMPANY_TABLE, at

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.stores import MockedAws, Stores

PHONE = Provider("telegram", "123")
LENA, MIA = UserKey("acme", "lena"), UserKey("acme", "mia")
ALIKE = (
    "telegram:12",
    "telegram:1234",
    "telegram2:123",
    "telegra:m123",
    "telegram:=123",
    "Telegram :0123",
    "t:##links",
)
ALIKE_USERS = ("lena#", "lena#m-1", "len", "Lena", "lena ", "lena/", "lena%23", "lena=23", "lena##merges")
MERGE = Merge(
    company_id="acme",
    merge_id="m-1",
    provider=PHONE,
    source_id="mia",
    target_id="lena",
    all_facts=False,
    asked_at=at(1),
)


def made(stores: Stores, text: str, user_id: str = "lena", before: Link | None = None) -> Link:
    provider = Provider.read(text)
    link = following(before, provider, user_id, Origin.ADMINISTRATOR, at(0))
    stores.links.write("acme", [LinkChange(provider=provider, before=before, after=link)])
    return link


def test_a_provider_that_nobody_linked_belongs_to_nobody(stores: Stores) -> None:
    assert stores.links.link("acme", PHONE) is None
    assert list(stores.links.links("acme", limit=10)) == []
    assert stores.links.declaration("acme") == Declaration()


def test_a_link_is_read_as_it_was_made(stores: Stores) -> None:
    link = made(stores, "telegram:123")
    assert stores.links.link("acme", PHONE) == link


def test_look_alikes_and_other_companies_are_kept_apart(stores: Stores) -> None:
    made(stores, "telegram:123", "right")
    for text in ALIKE:
        assert stores.links.link("acme", Provider.read(text)) is None
        made(stores, text, "wrong")
    for company_id in ("acme2", "acm"):
        assert stores.links.link(company_id, PHONE) is None
        assert list(stores.links.links(company_id, limit=10)) == []
    found = stores.links.link("acme", PHONE)
    assert found is not None
    assert found.user_id == "right"


def test_a_removed_link_counts_no_more_for_the_very_next_reader(stores: Stores) -> None:
    link = made(stores, "telegram:123")
    stores.links.write("acme", [LinkChange(provider=PHONE, before=link, after=None)])
    assert stores.links.link("acme", PHONE) is None


def test_all_links_are_listed_in_one_order_however_small_the_pages_and_nothing_else_is(stores: Stores) -> None:
    for text in ALIKE:
        made(stores, text)
    stores.links.declare("acme", frozenset({"boss"}), Declaration())
    whole = [str(link.provider) for link in stores.links.links("acme", limit=100)]
    assert sorted(whole) == sorted(str(Provider.read(text)) for text in ALIKE)
    page, paged = stores.links.links("acme", limit=2), list[str]()
    while page:
        assert len(page) <= 2
        paged += [str(link.provider) for link in page]
        page = stores.links.links("acme", limit=2, after=page[-1].provider)
    assert paged == whole


def test_a_change_that_rests_on_another_link_than_stands_is_refused_whole(stores: Stores) -> None:
    link, other = made(stores, "telegram:123"), Provider.read("slack:u1")
    stale = replace(link, version=link.version - 1)
    wanted = following(link, PHONE, "mia", Origin.DECLARED, at(2))
    new = following(None, other, "mia", Origin.DECLARED, at(2))
    for before in (stale, None):
        changes = [
            LinkChange(provider=other, before=None, after=new),
            LinkChange(provider=PHONE, before=before, after=wanted),
        ]
        with pytest.raises(CommitRefused) as refused:
            stores.links.write("acme", changes)
        assert refused.value.clauses == {"link"}
    assert stores.links.link("acme", other) is None
    assert stores.links.link("acme", PHONE) == link


def test_a_link_made_anew_has_a_version_that_none_before_had(stores: Stores) -> None:
    first = made(stores, "telegram:123")
    second = made(stores, "telegram:123", before=first)
    assert second.version > first.version
    stores.links.write("acme", [LinkChange(provider=PHONE, before=second, after=None)])
    with pytest.raises(CommitRefused):
        stores.links.write("acme", [LinkChange(provider=PHONE, before=second, after=None)])


def test_a_writer_that_has_read_another_declaration_is_refused(stores: Stores) -> None:
    before = stores.links.declaration("acme")
    now = stores.links.declare("acme", frozenset({"boss"}), before)
    assert stores.links.declaration("acme") == now == Declaration(frozenset({"boss"}), 1)
    link = following(None, PHONE, "boss", Origin.ADMINISTRATOR, at(1))
    change = LinkChange(provider=PHONE, before=None, after=link)
    with pytest.raises(CommitRefused) as refused:
        stores.links.write("acme", [change], declaration=before)
    assert refused.value.clauses == {"declaration"}
    with pytest.raises(VersionConflict) as conflict:
        stores.links.declare("acme", frozenset(), before)
    assert conflict.value.version == 1
    stores.links.write("acme", [change], declaration=now)
    assert stores.links.link("acme", PHONE) == link


def test_a_merge_is_kept_with_its_link_or_not_at_all(stores: Stores) -> None:
    link = following(None, PHONE, "lena", Origin.SIGN_IN, at(1))
    stale = LinkChange(provider=PHONE, before=link, after=following(link, PHONE, "mia", Origin.SIGN_IN, at(2)))
    with pytest.raises(CommitRefused):
        stores.links.write("acme", [stale], merge=MERGE)
    assert stores.merges.merge("acme", "m-1") is None
    stores.links.write("acme", [LinkChange(provider=PHONE, before=None, after=link)], merge=MERGE)
    assert stores.merges.merge("acme", "m-1") == MERGE
    assert stores.merges.merge("acme2", "m-1") is None


def test_a_merge_is_moved_on_by_whoever_has_read_it_as_it_is(stores: Stores) -> None:
    link = following(None, PHONE, "lena", Origin.SIGN_IN, at(1))
    stores.links.write("acme", [LinkChange(provider=PHONE, before=None, after=link)], merge=MERGE)
    moving = replace(MERGE.now(MergeStatus.MOVING), source_epoch=0, target_epoch=3)
    assert stores.merges.move(MERGE, moving)
    assert not stores.merges.move(MERGE, MERGE.now(MergeStatus.DROPPED))
    assert stores.merges.merge("acme", "m-1") == moving
    merged = replace(moving.now(MergeStatus.MERGED), moved=4, left_behind=2, returned=1)
    assert stores.merges.move(moving, merged)
    assert stores.merges.merge("acme", "m-1") == merged


def test_a_merge_is_removed_as_it_was_read_and_no_other_is(stores: Stores) -> None:
    other = replace(MERGE, merge_id="m-2")
    for merge in (MERGE, other):
        stores.links.write("acme", [], merge=merge)
    moving = MERGE.now(MergeStatus.MOVING)
    assert stores.merges.move(MERGE, moving)
    stores.merges.remove(MERGE)
    assert stores.merges.merge("acme", "m-1") == moving
    for _ in range(2):
        stores.merges.remove(moving)
        assert stores.merges.merge("acme", "m-1") is None
    assert stores.merges.merge("acme", "m-2") == other


def test_a_merge_that_is_gone_cannot_be_moved(stores: Stores) -> None:
    assert not stores.merges.move(MERGE, MERGE.now(MergeStatus.MOVING))
    assert stores.merges.merge("acme", "m-1") is None


def test_providers_of_a_user_are_found_page_by_page_and_nobody_elses(stores: Stores) -> None:
    texts = ["slack:u1", "telegram:123", "telegram:=123", "whatsapp:+41 79"]
    for text in texts:
        made(stores, text)
    for number, user_id in enumerate(("len", "lena1", "Lena", "lena#", "lena/telegram:123", "mia")):
        made(stores, f"teams:{number}", user_id)
    for user in (UserKey("acme2", "lena"), UserKey("acm", "lena")):
        assert list(stores.links_of_users.of_user(user, limit=10)) == []
    found, after = list[str](), None
    while page := stores.links_of_users.of_user(LENA, limit=3, after=after):
        assert len(page) <= 3
        found += [str(provider) for provider in page]
        after = page[-1]
    assert found == [str(Provider.read(text)) for text in texts]


def test_a_provider_that_leaves_a_user_is_theirs_no_more(stores: Stores) -> None:
    link = made(stores, "telegram:123")
    made(stores, "slack:u1")
    moved = made(stores, "telegram:123", "mia", before=link)
    assert stores.links_of_users.of_user(LENA, limit=10) == [Provider("slack", "u1")]
    assert stores.links_of_users.of_user(MIA, limit=10) == [PHONE]
    stores.links.write("acme", [LinkChange(provider=PHONE, before=moved, after=None)])
    assert list(stores.links_of_users.of_user(MIA, limit=10)) == []


def test_a_provider_that_is_linked_anew_to_the_same_user_is_theirs_once(stores: Stores) -> None:
    made(stores, "telegram:123", before=made(stores, "telegram:123"))
    assert stores.links_of_users.of_user(LENA, limit=10) == [PHONE]


def test_letting_go_removes_the_link_and_what_is_known_of_it(stores: Stores) -> None:
    made(stores, "telegram:123")
    for _ in range(2):
        stores.links_of_users.let_go(LENA, PHONE)
        assert stores.links.link("acme", PHONE) is None
        assert list(stores.links_of_users.of_user(LENA, limit=10)) == []


def test_letting_go_of_what_is_somebody_elses_by_now_changes_nothing(stores: Stores) -> None:
    link = made(stores, "telegram:123", "mia", before=made(stores, "telegram:123"))
    stores.links_of_users.let_go(LENA, PHONE)
    assert stores.links.link("acme", PHONE) == link
    assert stores.links_of_users.of_user(MIA, limit=10) == [PHONE]


def test_of_a_link_and_an_erase_at_once_no_trace_stays_of_whoever_is_erased(stores: Stores) -> None:
    for turn in range(5):
        provider = Provider("slack", f"u{turn}")
        link = made(stores, str(provider))
        moved = LinkChange(
            provider=provider, before=link, after=following(link, provider, "mia", Origin.ADMINISTRATOR, at(2))
        )

        def relink(start: Barrier, change: LinkChange = moved) -> str:
            start.wait()
            try:
                stores.links.write("acme", [change])
            except CommitRefused:
                return "refused"
            return "done"

        def let_go(start: Barrier, provider: Provider = provider) -> str:
            start.wait()
            stores.links_of_users.let_go(LENA, provider)
            return "done"

        won = raced([relink, let_go])[0] == "done"
        assert list(stores.links_of_users.of_user(LENA, limit=10)) == []
        assert (stores.links.link("acme", provider) == moved.after) is won
        assert (provider in stores.links_of_users.of_user(MIA, limit=10)) is won


def test_a_company_is_cleared_of_links_declarations_and_merges_and_no_other_is(stores: Stores) -> None:
    many = [Provider("slack", f"u{number}") for number in range(4 * MOST_LINK_CHANGES)]
    for some in batched(many, MOST_LINK_CHANGES, strict=True):
        changes = [
            LinkChange(provider=one, before=None, after=following(None, one, "lena", Origin.DECLARED, at(1)))
            for one in some
        ]
        stores.links.write("acme", changes)
    stores.links.write("acme", [], merge=MERGE)
    stores.links.declare("acme", frozenset({"boss"}), Declaration())
    kept = following(None, PHONE, "lena", Origin.SIGN_IN, at(1))
    elsewhere = replace(MERGE, company_id="acme2")
    stores.links.write("acme2", [LinkChange(provider=PHONE, before=None, after=kept)], merge=elsewhere)
    assert stores.links_of_users.clear_links("acme") == len(many)
    assert stores.merges.clear_merges("acme") == 1
    assert list(stores.links.links("acme", limit=1000)) == []
    assert list(stores.links_of_users.of_user(LENA, limit=10)) == []
    assert stores.links.declaration("acme") == Declaration()
    assert stores.merges.merge("acme", "m-1") is None
    assert stores.links.link("acme2", PHONE) == kept
    assert stores.merges.merge("acme2", "m-1") == elsewhere
    assert (stores.links_of_users.clear_links("acme"), stores.merges.clear_merges("acme")) == (0, 0)


def test_a_transaction_holds_so_many_changes_and_no_more(stores: Stores) -> None:
    providers = [Provider("slack", f"u{number}") for number in range(MOST_LINK_CHANGES + 1)]
    changes = [
        LinkChange(provider=one, before=None, after=following(None, one, "lena", Origin.DECLARED, at(1)))
        for one in providers
    ]
    with pytest.raises(ValueError, match="at most"):
        stores.links.write("acme", changes)
    stores.links.write("acme", changes[:-1], declaration=Declaration(), merge=MERGE)
    assert len(stores.links.links("acme", limit=1000)) == MOST_LINK_CHANGES


def test_of_two_who_link_a_provider_at_once_one_loses_and_one_link_stands(stores: Stores) -> None:
    for turn in range(5):
        provider = Provider("slack", f"u{turn}")
        outcomes = raced([linker(stores, provider, user_id) for user_id in ("lena", "mia")])
        assert sorted(outcomes) == ["done", "refused"]
        found = stores.links.link("acme", provider)
        assert found is not None
        assert found.user_id == ("lena", "mia")[outcomes.index("done")]


def test_of_two_who_declare_at_once_one_loses(stores: Stores) -> None:
    before = stores.links.declaration("acme")

    def declare(user_id: str) -> Callable[[Barrier], str]:
        def run(barrier: Barrier) -> str:
            barrier.wait()
            try:
                stores.links.declare("acme", frozenset({user_id}), before)
            except VersionConflict:
                return "refused"
            return "done"

        return run

    assert sorted(raced([declare("lena"), declare("mia")])) == ["done", "refused"]
    assert stores.links.declaration("acme").version == 1


def linker(stores: Stores, provider: Provider, user_id: str) -> Callable[[Barrier], str]:
    link = following(None, provider, user_id, Origin.SIGN_IN, at(1))

    def run(barrier: Barrier) -> str:
        barrier.wait()
        try:
            stores.links.write("acme", [LinkChange(provider=provider, before=None, after=link)])
        except CommitRefused:
            return "refused"
        return "done"

    return run


def raced(runs: list[Callable[[Barrier], str]]) -> list[str]:
    barrier = Barrier(len(runs))
    with ThreadPoolExecutor(len(runs)) as pool:
        return [future.result() for future in [pool.submit(run, barrier) for run in runs]]


def test_merges_are_found_by_either_user_and_by_nobody_whose_id_looks_alike(stores: Stores) -> None:
    back = replace(MERGE, merge_id="m-2", source_id="lena", target_id="mia")
    elsewhere = replace(MERGE, company_id="acme2")
    for merge in (MERGE, back, elsewhere):
        stores.links.write(merge.company_id, [], merge=merge)
    for number, user_id in enumerate(ALIKE_USERS):
        other = replace(MERGE, merge_id=f"m-1{number}", source_id="zoe", target_id=user_id)
        stores.links.write("acme", [], merge=other)
        assert stores.merges.of_user(other.target) == [other]
    assert stores.merges.of_user(LENA) == [MERGE, back]
    assert stores.merges.of_user(MIA) == [MERGE, back]
    assert stores.merges.of_user(UserKey("acme2", "mia")) == [elsewhere]


def test_a_merge_that_is_removed_is_found_by_nobody(stores: Stores) -> None:
    other = replace(MERGE, merge_id="m-2")
    for merge in (MERGE, other):
        stores.links.write("acme", [], merge=merge)
    stores.merges.remove(MERGE.now(MergeStatus.MOVING))
    assert stores.merges.of_user(LENA) == [MERGE, other]
    stores.merges.remove(MERGE)
    assert stores.merges.of_user(LENA) == [other]
    assert stores.merges.of_user(MIA) == [other]


def test_a_merge_is_noted_again_without_a_second_one_and_one_that_is_gone_is_not(stores: Stores) -> None:
    stores.links.write("acme", [], merge=MERGE)
    stores.merges.note(MERGE)
    assert stores.merges.of_user(LENA) == [MERGE]
    stores.merges.remove(MERGE)
    stores.merges.note(MERGE)
    assert (stores.merges.of_user(LENA), stores.merges.clear_merges("acme")) == ([], 0)


def test_a_merge_of_an_earlier_release_is_found_once_it_was_noted(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    clients = mocked_aws.clients
    item = spelled_all(merge_item(MERGE))
    with clients.own_role():
        clients.dynamodb.put_item(TableName=COMPANY_TABLE, Item=item)
    assert aws_stores.merges.of_user(LENA) == []
    aws_stores.merges.note(MERGE)
    assert aws_stores.merges.of_user(LENA) == [MERGE]
    assert aws_stores.merges.of_user(MIA) == [MERGE]
