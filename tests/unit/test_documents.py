"""What can be checked of the pages: links, commands and places are there, tables are tables, the index is whole."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DECISIONS = ROOT / "docs" / "decisions"
MADE_BY_THE_READER = frozenset({"infra/environments/qa.py"})


def anchors(page: Path) -> set[str]:
    """What a page's headings are called in links."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_table_has_a_head_and_its_rows_have_as_many_cells(page: Path) -> None:
    lines = ["", *re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL).splitlines(), ""]
    cells = [len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0 for line in lines]
    for number, (above, row) in enumerate(pairwise(cells), start=1):
        if row and not above:
            assert re.fullmatch(r"[|:\- ]+", lines[number + 1]), lines[number]
        elif row:
            assert row == above, lines[number]


def test_the_index_of_decisions_names_each_of_them_as_its_page_does() -> None:
    index = re.findall(r"^- \[(.+)\]\((.+)\)$", (DECISIONS / "README.md").read_text(), re.MULTILINE)
    pages = sorted(page for page in DECISIONS.glob("*.md") if page.name != "README.md")
    assert index == [(page.read_text().splitlines()[0].removeprefix("# "), page.name) for page in pages]
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_on_a_page_is_one(page: Path) -> None:
    text = page.read_text()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)) <= targets
    for module in re.findall(r"python -m ((?:\w+\.)+\w+)", text):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_place_in_the_code_that_a_page_names_is_there(page: Path) -> None:
    floors = "domain|adapters|application|contracts|infra|tests|functions|docs|events|layers"
    own = ROOT / "layers" / "context_memory" / "python" / "context_memory"
    for place in re.findall(rf"`((?:{floors})/[\w./-]*)`", page.read_text()):
        assert (ROOT / place).exists() or (own / place).exists() or place in MADE_BY_THE_READER, place
