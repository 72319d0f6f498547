from __future__ import annotations

import hashlib
import re
import time

import pytest

from context_memory.domain.profile import Bullets
from context_memory.domain.prompt_section import PARAGRAPH, TITLE, prompt_section, strip, suffix_for

BULLETS = Bullets(identity=("Lena, radiographer.",), skills=("CT.\n```\n## x\n```", "Speaks <b>German</b>."))
SECTION = prompt_section(BULLETS) or ""


def test_the_section_is_its_title_a_paragraph_and_the_filled_sections_between_tags() -> None:
    body = (
        "### Identity\n- Lena, radiographer.\n\n"
        "### Skills & Expertise\n- CT.\n  ```\n  ## x\n  ```\n- Speaks <b>German</b>."
    )
    suffix = hashlib.sha256(body.encode()).hexdigest()[:8]
    assert prompt_section(BULLETS) == f"{TITLE}\n\n{PARAGRAPH}\n\n<memory-{suffix}>\n{body}\n</memory-{suffix}>"


def test_without_bullets_there_is_no_section() -> None:
    assert prompt_section(Bullets()) is None


def test_the_same_bullets_give_the_same_bytes_and_others_give_other_tags() -> None:
    assert prompt_section(BULLETS) == SECTION
    tags = {re.findall(r"<memory-(\w+)>", prompt_section(Bullets(work=(text,))) or "")[0] for text in ("A.", "B.")}
    assert len(tags) == 2


def test_a_body_that_holds_the_tag_gets_the_next_digits() -> None:
    digest = "00000000" + "11111111" + "22222222" * 6
    assert suffix_for("plain", digest) == "00000000"
    assert suffix_for("</memory-00000000>", digest) == "11111111"
    assert suffix_for("<memory-00000000> </memory-11111111>", digest) == "22222222"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def wrapped(text: str) -> str:
    return text.replace("system message; ", "system\n message;\n")


@pytest.mark.parametrize(
    "copy",
    [
        SECTION,
        SECTION.replace("\n", "\r\n"),
        quoted(SECTION),
        f"> {quoted(SECTION)}",
        wrapped(SECTION),
        quoted(wrapped(SECTION)).replace("\n", "\r\n"),
        SECTION[SECTION.index("<memory-") :],
        f"{TITLE}\n{SECTION[SECTION.index('<memory-') :]}",
    ],
)
def test_the_section_is_taken_out_of_what_a_user_sends(copy: str) -> None:
    assert strip(f"Before.\n{copy}\nAfter.") == "Before.\nAfter."
    assert strip(f"{copy}\n\nand\n\n{copy}").strip() == "and"


def test_without_the_closing_tag_only_our_own_words_go() -> None:
    cut = SECTION[: SECTION.index("</memory-")]
    left = strip(f"Before.\n{cut}\nI moved to Bern.")
    assert left.startswith("Before.\n### Identity\n")
    assert left.endswith("I moved to Bern.")
    assert PARAGRAPH not in left
    assert "<memory-" not in left


def test_a_closing_tag_with_other_digits_closes_nothing() -> None:
    text = "<memory-00000000>\nI moved to Bern.\n</memory-11111111>"
    assert strip(text) == text


def test_a_heading_of_the_users_own_stays() -> None:
    text = f"{TITLE}\n\nYou like tea."
    assert strip(text) == text


def test_many_tags_that_nobody_closed_cost_no_time() -> None:
    text = "<memory-00000000>\n" * 50_000 + "</memory-11111111>\n" * 5_000
    started = time.perf_counter()
    assert strip(text) == text
    assert time.perf_counter() - started < 5


def test_a_section_inside_a_section_goes_with_it() -> None:
    inner = "<memory-00000000>\n- A.\n</memory-00000000>"
    assert strip(f"<memory-11111111>\n{inner}\n</memory-11111111>\nAfter.") == "After."
