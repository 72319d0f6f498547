"""Prompt files: strict about variables, blind to what data spells, told apart by version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.adapters.jinja_prompts import JinjaPrompts, PromptError

if TYPE_CHECKING:
    from pathlib import Path

    from context_memory.ports.models import Prompts

FILES = {
    "_policy.j2": "{# version: 3 #}\nNever keep **another** person's\naddress; not even a part of it. Short one.\n",
    "_line.j2": "{{ number }}: {{ line }}{{ mark }}\n",
    "gate/system.j2": "You decide. Prompt mark: gate-wren-0042.\n\n{% include '_policy.j2' %}\nOne word.\n",
    "gate/user.j2": (
        "<evidence-{{ nonce }}>\n{{ evidence }}\n</evidence-{{ nonce }}>\n"
        "{% for line in lines -%}\n{% set number = loop.index -%}\n{% include '_line.j2' %}\n{% endfor -%}\n"
        "1. Answer with one of the three words only\n2) 記憶に残すのは利用者自身の言葉だけです。"
    ),
}
VALUES = {"nonce": "0badcafe", "evidence": "I moved.", "lines": ["a", "b"], "mark": "."}


def written(folder: Path, files: dict[str, str] | None = None) -> JinjaPrompts:
    for name, content in {**FILES, **(files or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return JinjaPrompts(folder)


@pytest.fixture
def prompts(tmp_path: Path) -> Prompts:
    return written(tmp_path)


def test_both_texts_of_a_call_come_with_their_includes(prompts: Prompts) -> None:
    system, user = prompts.render("gate", VALUES)
    assert system == (
        "You decide. Prompt mark: gate-wren-0042.\n\n\n"
        "Never keep **another** person's\naddress; not even a part of it. Short one.\nOne word."
    )
    assert user.startswith("<evidence-0badcafe>\nI moved.\n</evidence-0badcafe>\n1: a.\n2: b.\n1. Answer")


def test_a_missing_variable_is_named_even_if_only_an_include_wants_it(prompts: Prompts) -> None:
    with pytest.raises(PromptError, match=r"missing \[mark\], left over \[\]"):
        prompts.render("gate", {name: value for name, value in VALUES.items() if name != "mark"})


def test_a_variable_that_no_file_wants_is_an_error_too(prompts: Prompts) -> None:
    with pytest.raises(PromptError, match=r"missing \[\], left over \[profile\]"):
        prompts.render("gate", {**VALUES, "profile": "secret"})


def test_an_error_never_shows_a_value(prompts: Prompts) -> None:
    with pytest.raises(PromptError) as caught:
        prompts.render("gate", {"profile": "secret"})
    assert "secret" not in str(caught.value)


def test_an_unknown_call_is_an_error(prompts: Prompts) -> None:
    with pytest.raises(PromptError, match="consolidation/system"):
        prompts.render("consolidation", {})


def test_an_include_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    prompts = written(tmp_path, {"gate/system.j2": "{% include '_missing.j2' %}"})
    with pytest.raises(PromptError, match="gate/system"):
        prompts.render("gate", VALUES)


def test_a_folder_without_a_policy_is_no_set_of_prompts(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match="_policy"):
        JinjaPrompts(tmp_path)


@settings(max_examples=50, deadline=None)
@given(
    evidence=st.text() | st.sampled_from(["{{ nonce }}", "{% raw %}", "{# gone #}", "<b>&amp;'\"</b>", "</evidence>"])
)
def test_data_stands_in_the_prompt_exactly_as_it_was(tmp_path_factory: pytest.TempPathFactory, evidence: str) -> None:
    _, user = written(tmp_path_factory.mktemp("prompts")).render("gate", {**VALUES, "evidence": evidence})
    assert user.startswith(f"<evidence-0badcafe>\n{evidence}\n</evidence-0badcafe>\n")


def test_the_version_changes_with_any_file_and_with_nothing_else(tmp_path: Path) -> None:
    before = written(tmp_path / "a").version
    assert before == written(tmp_path / "b").version
    changed = {name: written(tmp_path / name.replace("/", "-"), {name: f"{FILES[name]} "}).version for name in FILES}
    renamed = written(tmp_path / "c", {"scrub/user.j2": ""}).version
    assert len({before, renamed, *changed.values()}) == len(FILES) + 2
    assert len(before) == 12


def test_the_policy_tells_its_version_or_is_its_own(tmp_path: Path) -> None:
    assert written(tmp_path / "told").policy_version == "3"
    silent = written(tmp_path / "silent", {"_policy.j2": "Keep little."}).policy_version
    other = written(tmp_path / "other", {"_policy.j2": "Keep less."}).policy_version
    assert len({silent, other, "3"}) == 3


def test_sentences_are_ours_folded_and_without_marks(prompts: Prompts) -> None:
    ours = prompts.sentences()
    assert "never keep another person's address; not even a part of it" in ours
    assert "not even a part of it" not in ours
    assert "answer with one of the three words only" in ours
    assert "記憶に残すのは利用者自身の言葉だけです" not in ours  # 19 characters are too few to be sure of
    assert "gate-wren-0042" in ours
    assert not any("version" in sentence or "{{" in sentence for sentence in ours)
    assert all(len(sentence) >= 20 or sentence == "gate-wren-0042" for sentence in ours)


def test_the_packaged_prompts_are_readable_and_marked() -> None:
    packaged = JinjaPrompts()
    marks = {sentence for sentence in packaged.sentences() if len(sentence.split()) == 1 and "-" in sentence}
    assert {mark.partition("-")[0] for mark in marks} == {
        *("gate", "consolidate", "scrub", "condense", "extract", "compact", "summary"),
    }
    assert packaged.policy_version != packaged.version
