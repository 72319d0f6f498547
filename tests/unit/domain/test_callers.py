"""Whom a company's pins let in: a role by its account and whole name, and nothing that only looks like it."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from context_memory.domain.callers import CompanyLock, Principal

ACCOUNT, ROLE = "123456789012", "orchestrator"
PINNED = CompanyLock(callers=frozenset({Principal(ACCOUNT, ROLE)}))
OURS = f"arn:aws:sts::{ACCOUNT}:assumed-role/{ROLE}/session-1"
NAMES = string.ascii_letters + string.digits + "_+=,.@-"


@pytest.mark.parametrize(
    ("arn", "opens"),
    [
        (OURS, True),
        (OURS.replace("arn:aws:", "arn:aws-cn:"), True),
        (OURS.replace("arn:aws:", "arn:aws-us-gov:"), True),
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/{ROLE}/jane@bank.example", True),
        # Other accounts, other roles, and names that contain the pinned one.
        (OURS.replace(ACCOUNT, "123456789013"), False),
        (OURS.replace(ROLE, f"{ROLE}-2"), False),
        (OURS.replace(ROLE, f"x{ROLE}"), False),
        (OURS.replace(ROLE, ROLE[:-1]), False),
        (OURS.replace(ROLE, ROLE.upper()), False),
        (OURS.replace(ROLE, ROLE.replace("o", "о")), False),  # noqa: RUF001 - a Cyrillic letter is what is tested
        (OURS.replace(ACCOUNT, "١٢٣٤٥٦٧٨٩٠١٢"), False),
        # The session's name is the caller's own choice.
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/other/{ROLE}", False),
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/other/assumed-role/{ROLE}/session", False),
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/{ROLE}", False),
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/{ROLE}/", False),
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/path/{ROLE}/session", False),
        # Not a role that was assumed.
        (f"arn:aws:iam::{ACCOUNT}:role/{ROLE}", False),
        (f"arn:aws:iam::{ACCOUNT}:user/{ROLE}", False),
        (f"arn:aws:iam::{ACCOUNT}:user/assumed-role/{ROLE}/session", False),
        (f"arn:aws:iam::{ACCOUNT}:root", False),
        (f"arn:aws:sts::{ACCOUNT}:federated-user/{ROLE}", False),
        # Not an ARN.
        (f" {OURS}", False),
        (f"{OURS}\n", False),
        (OURS.replace("arn:aws:", "arn:evil:"), False),
        (OURS.replace(":sts:", ":sts.evil:"), False),
        ("*", False),
        ("", False),
        (None, False),
    ],
)
def test_only_the_pinned_role_of_the_pinned_account_comes_in(arn: str | None, opens: bool) -> None:  # noqa: FBT001 - what is tested
    assert PINNED.opens_for(arn) is opens


@pytest.mark.parametrize("arn", [OURS, f"arn:aws:iam::{ACCOUNT}:user/jane", None])
def test_where_nobody_is_pinned_iam_has_decided(arn: str | None) -> None:
    assert CompanyLock(require_user_token=True).opens_for(arn)


@given(
    account=st.text(string.digits, min_size=12, max_size=12),
    role=st.text(NAMES, min_size=1, max_size=64),
    session=st.text(NAMES, min_size=1, max_size=64),
)
def test_a_role_is_read_back_from_its_arn_whatever_the_session_is_called(account: str, role: str, session: str) -> None:
    assert Principal.behind(f"arn:aws:sts::{account}:assumed-role/{role}/{session}") == Principal(account, role)


@given(st.text(st.sampled_from([*NAMES, "/", ":", "*", "\n"]), max_size=12), st.integers(0, len(OURS)))
@example("", 0)
@example("-2", OURS.index("/session"))
def test_no_insertion_into_a_pinned_arn_comes_in_but_one_into_the_session(inserted: str, place: int) -> None:
    arn = OURS[:place] + inserted + OURS[place:]
    session = arn.removeprefix(f"arn:aws:sts::{ACCOUNT}:assumed-role/{ROLE}/")
    partition = arn.startswith("arn:aws") and arn.endswith(OURS.removeprefix("arn:aws"))
    if PINNED.opens_for(arn):
        assert partition or (session != arn and set(session) <= set(NAMES))


@given(st.text(max_size=80))
def test_no_text_at_all_is_taken_for_a_pinned_role(text: str) -> None:
    assert not PINNED.opens_for(text)
