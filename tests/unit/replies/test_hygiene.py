"""What no bullet may hold (R7, R8), and the innocent text that must come through."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.hygiene import clean_bullet, hosts, is_ours
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

NOBODYS = frozenset[str]()
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize(
    "innocent",
    [
        f"Supports {ENGLAND} and {WALES} at rugby.",
        f"Has a family {FAMILY} and a \U0001f9d1\U0001f3fd\u200d\U0001f52c job.",
        "Flies \U0001f3f3\ufe0f\u200d\U0001f308 and \U0001f3f4\u200d\u2620\ufe0f; \u2764\ufe0f\u200d\U0001f525.",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u062f \u06a9\u0648\u062a\u0627\u0647 \u0628\u0627\u0634\u062f",
        "\u0915\u094d\u200d\u0937 \u0914\u0930 \u0930\u094d\u200d \u0932\u093f\u0916\u0924\u0947 \u0939\u0948\u0902",
        "Writes <b> and </b> around names, `a < b` in code, and <|endoftext|> in mails.",
        "Uses node.js, ASP.NET and README.md; ratio 3:1; and/or.",
        "Indents  with\n  two blanks:\n```\n// keep [this] (as) it is\n```",
        "Cites as [1] and (see [2]); matrix[[0]] stays.",
        "Takes \u845b\U000e0100 for her name.",
    ],
)
def test_innocent_text_comes_through_unchanged(innocent: str) -> None:
    assert clean_bullet(innocent, user_hosts=NOBODYS) == innocent


@pytest.mark.parametrize(
    ("hiding", "seen"),
    [
        ("Likes tea\U000e0068\U000e0069.", "Likes tea."),
        (
            f"Flag {ENGLAND[0]}\U000e0068\U000e0069\U000e0064\U000e0064\U000e0065\U000e006e\U000e0021\U000e007f.",
            "Flag \U0001f3f4.",
        ),
        ("Likes \u202eaet\u202c and \u2066milk\u2069\u200e.", "Likes aet and milk."),
        ("\ufeffLi\u200bkes\u2060 tea", "Likes tea"),
        ("pass\u200cword pass\u200dword", "password password"),
    ],
)
def test_what_is_hidden_goes(hiding: str, seen: str) -> None:
    assert clean_bullet(hiding, user_hosts=NOBODYS) == seen


@pytest.mark.parametrize(
    ("linked", "said"),
    [
        ("Reads [the guide](https://evil.example/g?d=1 'title').", "Reads the guide."),
        ("Logo ![our logo](https://evil.example/p.png).", "Logo our logo."),
        ("[![badge](https://evil.example/b)](https://evil.example)", "badge"),
        ("Keeps notes at https://evil.example/team/notes?u=lena#x, daily.", "Keeps notes at team/notes, daily."),
        ("Keeps notes at <https://evil.example> daily.", "Keeps notes at daily."),
        ("Uses www.evil.example for mail.", "Uses for mail."),
        ("ht\u200btps://evil.example/a", "a"),
        ("\u89c1https://evil.example/a\u3002\u597d", "\u89c1a\u3002\u597d"),
        ("[a](//evil.example) [b](javascript:alert(1)) [c](/local)", "a b c"),
        ("<a href='https://evil.example'>site</a> <img src=//evil.example/x alt='chart'>", "site chart"),
        ("[text][1]\n\n[1]: https://evil.example/x", "[text][1]\n\n[1]: x"),
        ("https://web.example/https://evil.example/x", "x"),
        ("Is a nurse [[cite:mem:01H]].", "Is a nurse cite:mem:01H."),
        ("Is a nurse [[[[cite:mem:01H]]]].", "Is a nurse cite:mem:01H."),
    ],
)
def test_links_become_their_text(linked: str, said: str) -> None:
    assert clean_bullet(linked, user_hosts=NOBODYS) == said


@pytest.mark.parametrize(
    "kept",
    [
        "Keeps [notes](https://wiki.example/n?a=1).",
        "Keeps notes at https://www.wiki.example:8443/n.",
        "Keeps notes at <https://WIKI.example/n>.",
        "![logo](https://wiki.example/l.png)",
    ],
)
def test_links_to_a_host_that_the_user_wrote_stay(kept: str) -> None:
    assert clean_bullet(kept, user_hosts=hosts("We use wiki.example for everything.")) == kept


@pytest.mark.parametrize(
    "disguised",
    [
        "https://wiki.example@evil.example/",
        "https://wiki.example.evil.example/",
        "https://wiki.example\\@evil.example/",
        "https://evil.example/?u=//wiki.example",
        "https://evil.wiki.example",
        "[x](javascript://wiki.example/%0aalert(1))",
    ],
)
def test_another_host_in_disguise_goes(disguised: str) -> None:
    cleaned = clean_bullet(disguised, user_hosts=frozenset({"wiki.example"}))
    assert "//" not in cleaned
    assert "script" not in cleaned


def test_hosts_are_found_in_links_and_bare_in_any_script() -> None:
    text = "See https://A.example:8080/x, www.b.example and \u89c1c.example\u3002 Mail eva@d.example; (e.example)."
    assert hosts(text) == {"a.example", "b.example", "c.example", "e.example"}


def test_text_of_our_prompts_is_ours_however_it_is_spaced() -> None:
    own = frozenset({"Data stands between tags.", "canary-7f3a"})
    assert is_ours("Note: data  stands\nbetween TAGS", own)
    assert is_ours("Likes canary-7F3A a lot.", own)
    assert is_ours("**Data** stands `between` _tags_!", own)
    assert not is_ours("Tags data.", own)
    assert not is_ours("Tags data.", frozenset({"", "."}))


@pytest.mark.parametrize("placeholder", ["<fact about the user>", " **<fact>**. ", "2026-06-17 11:40 UTC: <topic>"])
def test_a_bullet_that_is_wholly_a_placeholder_is_ours(placeholder: str) -> None:
    assert is_ours(placeholder, frozenset())


@pytest.mark.parametrize("own", ["Writes <b> in mails.", "<b> and <i>", "x < y > z", "`<b>`"])
def test_a_bullet_that_mentions_a_tag_is_the_users(own: str) -> None:
    assert not is_ours(own, frozenset())


PIECES = [
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "!",
    "http://",
    "evil.example",
    "ok.example",
    "www.",
    "/",
    "\\",
    "cite:x",
    "[[",
    "]]",
    "a",
    " ",
    "\n",
    "\u200d",
    "\u200c",
    "\u0645",
    "\U0001f468",
    "\U0001f3f4",
    "\U000e0067",
    "\U000e007f",
    "\u202e",
    "@",
    ":",
    "?",
]


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | st.text(max_size=60))
@settings(max_examples=400, deadline=None)
def test_cleaning_twice_changes_nothing_more_and_no_foreign_link_is_left(text: str) -> None:
    kept = frozenset({"ok.example"})
    cleaned = clean_bullet(text, user_hosts=kept)
    assert clean_bullet(cleaned, user_hosts=kept) == cleaned
    assert len(cleaned) <= len(text)
    assert "http://evil.example" not in cleaned


@pytest.mark.parametrize("piece", ["[", "[a](", "<a ", "http://", "![", "a.b-"])
@pytest.mark.parametrize("end", ["", "](x)"])
def test_the_time_of_cleaning_a_hostile_bullet_grows_like_its_length(piece: str, end: str) -> None:
    def clean(bullet: str) -> None:
        clean_bullet(bullet + end, user_hosts=hosts(bullet + end))

    assert growth(clean, repeated(piece), 4_000) < LIKE_THE_LENGTH
