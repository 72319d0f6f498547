from __future__ import annotations

import hashlib
import re

from context_memory.domain.memory_frame import suffix_for
from context_memory.domain.profile import Bullets
from context_memory.domain.prompt_section import PROFILE, prompt_section

BULLETS = Bullets(identity=("Lena, radiographer.",), skills=("CT.\n```\n## x\n```", "Speaks <b>German</b>."))
SECTION = prompt_section(BULLETS) or ""


def test_the_section_is_its_title_a_paragraph_and_the_filled_sections_between_tags() -> None:
    body = (
        "### Identity\n- Lena, radiographer.\n\n"
        "### Skills & Expertise\n- CT.\n  ```\n  ## x\n  ```\n- Speaks <b>German</b>."
    )
    suffix = hashlib.sha256(body.encode()).hexdigest()[:8]
    assert prompt_section(BULLETS) == f"{PROFILE.opening}<memory-{suffix}>\n{body}\n</memory-{suffix}>"


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
