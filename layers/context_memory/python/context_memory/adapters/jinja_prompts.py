"""The prompt files, `<call>/system.j2` and `<call>/user.j2` beside `_policy.j2`, rendered by Jinja.

Nothing is escaped: a prompt is no page, and what was said must come back as it was. Values are never read as templates.
"""

from __future__ import annotations

import hashlib
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import DictLoader, Environment, StrictUndefined, meta, nodes

from context_memory.adapters.prompt_sentences import canaries, sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGED = Path(__file__).parents[1] / "prompts"
POLICY = "_policy.j2"
_VERSION_LINE = re.compile(r"\s*\{#-?\s*version:\s*(\S+?)\s*-?#\}")
_DIGEST_LENGTH = 12


class PromptError(Exception):
    """A prompt and the values it was given do not fit; the message names variables and files, never values."""


class JinjaPrompts:
    """The `Prompts` of one folder, read once, when built.

    Attributes:
        version: 12 hex digits over names and bytes of all prompt files.
        policy_version: what the policy file says in a first line `{# version: 3 #}`, else 12 hex digits over it.

    Raises:
        PromptError: the folder has no policy file.
    """

    version: str
    policy_version: str

    def __init__(self, folder: Path = PACKAGED) -> None:
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.j2"))}
        if POLICY not in files:
            raise PromptError(f"The prompts have no {POLICY}.")
        self._sources = {name: content.decode() for name, content in files.items()}
        self._environment = Environment(
            loader=DictLoader(self._sources),
            undefined=StrictUndefined,
            autoescape=False,  # noqa: S701 - a prompt is no page
            auto_reload=False,
        )
        self.version = _digest(*(part for name, content in files.items() for part in (name.encode(), content)))
        told = _VERSION_LINE.match(self._sources[POLICY])
        self.policy_version = told[1] if told else _digest(files[POLICY])

    def render(self, call: str, values: Mapping[str, object]) -> tuple[str, str]:
        """System and user text of one call, such as `gate`.

        Raises:
            PromptError: no such call, or a variable is missing or left over.
        """
        names = (f"{call}/system.j2", f"{call}/user.j2")
        if unknown := [name for name in names if name not in self._sources]:
            raise PromptError(f"The prompts have no {' and no '.join(unknown)}.")
        needed = self._needed(names[0]) | self._needed(names[1])
        if needed != values.keys():
            missing, left_over = ", ".join(sorted(needed - values.keys())), ", ".join(sorted(values.keys() - needed))
            raise PromptError(f"Prompt {call}: missing [{missing}], left over [{left_over}].")
        system, user = (self._environment.get_template(name).render(values) for name in names)
        return system, user

    def sentences(self) -> frozenset[str]:
        """Every sentence of at least 20 characters and every canary in any file, folded and case-folded."""
        return self._sentences

    @cached_property
    def _sentences(self) -> frozenset[str]:
        texts = [data.data for name in self._sources for data in self._tree(name).find_all(nodes.TemplateData)]
        return frozenset(found for text in texts for found in (*sentences(text), *canaries(text)))

    def _tree(self, name: str) -> nodes.Template:
        return self._environment.parse(self._sources[name], name)

    def _needed(self, name: str) -> frozenset[str]:
        """Variables that a file and what it includes want from outside; what it sets itself, its includes may use."""
        tree = self._tree(name)
        own = {found.name for found in tree.find_all(nodes.Name) if found.ctx == "store"}
        needed = set(meta.find_undeclared_variables(tree))
        for other in meta.find_referenced_templates(tree):
            if other not in self._sources:  # None: a name that only rendering would know
                raise PromptError(f"Prompt file {name} includes something that is not there.")
            needed |= self._needed(other) - own
        return frozenset(needed - self._environment.globals.keys())


def _digest(*parts: bytes) -> str:
    """Short SHA-256 over parts whose borders count."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8) + part)
    return hashed.hexdigest()[:_DIGEST_LENGTH]
