"""The page's files: no markup from text, nobody else's address, every message used and in every language."""

from __future__ import annotations

import json
import re
import subprocess
import sysconfig
from functools import cache
from pathlib import Path

import pytest

from context_memory.contracts.problems import KINDS
from context_memory.domain.facts.admitting import Unfit
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.operations import OperationKind
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.profile import Section
from context_memory.domain.writers import Writer
from infra.page.files import FOLDER

NODE = Path(sysconfig.get_path("scripts")) / "node"
CODE = FOLDER / "code"
MODULES = {file.relative_to(FOLDER).as_posix(): file.read_text() for file in sorted(CODE.rglob("*.js"))}
USES = {name: text for name, text in MODULES.items() if "/messages/" not in name}
# Families of messages whose members are named by answers of the service, or put together by a module.
FAMILIES = re.compile(r"""\b(?:named|known)\(\s*"(\w+)"|`([a-z_]+)\.\$\{""")

_MET_ANYWHERE = frozenset({412, 413, 422, 500, 503})
"""Statuses of problems that may meet anybody; the others belong to single routes."""
_MET_HERE = {"claim_refused", "memory_off", "confirmation_required", "revision_gone", "not_found", "too_many_requests"}


@cache
def messages(language: str) -> dict[str, str]:
    """All messages of a language, as a browser would read them."""
    script = "import(process.argv[1]).then((m) => console.log(JSON.stringify(m.default)))"
    command = [str(NODE), "-e", script, (CODE / "messages" / f"{language}.js").as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own files
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(
    "forbidden",
    [
        r"innerHTML|outerHTML|insertAdjacentHTML|setHTML|parseHTML|DOMParser|createContextualFragment|srcdoc",
        r"document\.write|\beval\b|new Function|javascript:",
        r"https?://(?!www\.w3\.org/2000/svg)",
        r"\bon\w+\s*=\s*[\"']",
    ],
)
def test_no_file_makes_markup_or_code_from_text_or_knows_another_host(forbidden: str) -> None:
    served = {**MODULES, **{file.name: file.read_text() for file in FOLDER.rglob("*.[chs]*[lsg]")}}
    assert {"index.html", "icon.svg", "base.css"} <= set(served)

    assert [name for name, text in served.items() if re.search(forbidden, text)] == []


def test_the_page_has_no_inline_code_or_style() -> None:
    page = (FOLDER / "index.html").read_text()

    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=", page) == []


def test_both_languages_have_the_same_messages_with_the_same_values() -> None:
    english, german = messages("en"), messages("de")

    assert list(english) == list(german)
    values = {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in english.items()}
    assert {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in german.items()} == values


def test_every_message_is_used() -> None:
    written = set(re.findall(r"""["`]([a-z_]+(?:\.[\w &-]+)*)["`]""", "\n".join(USES.values())))
    families = {family for text in USES.values() for found in FAMILIES.findall(text) for family in found if family}
    plurals = (".one", ".other")
    bare = {key.removesuffix(ending) for key in messages("en") for ending in plurals if key.endswith(ending)}
    keys = {key for key in messages("en") if not key.endswith(plurals)} | bare
    unused = [key for key in keys if key not in written and not key.startswith(tuple(f"{one}." for one in families))]

    assert unused == []


def test_every_message_that_a_module_names_is_there() -> None:
    known = set(messages("en"))
    for name, text in USES.items():
        for key in re.findall(r"""\bt\("([^"$]+)"[,)]""", text):
            assert key in known, f"{name}: {key}"
        for key in re.findall(r"""\bcounted\("([^"$]+)\"""", text):
            assert {f"{key}.one", f"{key}.other"} <= known, f"{name}: {key}"
        for family in re.findall(r"""\bnamed\("([^"$]+)\"""", text):
            assert f"{family}.unknown" in known, f"{name}: {family}"


def test_there_are_words_for_all_that_the_service_can_say() -> None:
    problems = {name for _, status, name, _ in KINDS if status in _MET_ANYWHERE} - {"issuer_unavailable"}
    wanted = (
        {f"outcome.{outcome}" for outcome in Outcome}
        | {f"status.{status}" for status in TurnStatus}
        | {f"writer.{writer}" for writer in Writer}
        | {f"origin.{kind}" for kind in OperationKind}
        | {f"operation.{kind}" for kind in OperationKind}
        | {f"{family}.{section}" for section in Section for family in ("section", "hint")}
        | {f"noted.{outcome}" for outcome in FactsOutcome if outcome is not FactsOutcome.SKIPPED}
        | {f"unfit.{reason}" for reason in Unfit}
        | {f"failure.{name}" for name in problems | _MET_HERE}
    )

    assert sorted(wanted - set(messages("en"))) == []


@pytest.mark.parametrize("tests", sorted(Path(__file__).parent.glob("*.test.mjs")), ids=lambda file: file.stem)
def test_modules_do_what_they_say(tests: Path) -> None:
    command = [str(NODE), "--test", "--test-reporter=tap", str(tests)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own tests

    assert done.returncode == 0, done.stdout
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), done.stdout
