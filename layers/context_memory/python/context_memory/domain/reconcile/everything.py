# ruff: noqa: RUF001 - punctuation of several scripts
"""Whether a wish to forget means everything: "all you know about me", but not "everything about my job"."""

from __future__ import annotations

import re

from context_memory.domain.language.stop_words import REQUEST_WORDS
from context_memory.domain.language.words import beyond_request, content_words, plain, script_without_blanks

_EVERYTHING = re.compile(
    r"\b(?:everything|all (?:of it|about me|you|memories|(?:my |the |your )?(?:memory|data)))\b"
    r"|\b(?:alles|tout|toutes|todo|tutto|tudo)\b"
    "|一切|全部|所有|すべて|全て|모두|전부"
)
_RELATIVE = re.compile(r",\s*(?=(?:was|dass|what|which|that|ce que|que|cio|che|wat|dat|o que)\b)")
_CLAUSE = re.compile(r"[^.,;:!?\n。，、；：！？]+")
_POLITE = "请 請 都 把 吧 について に関する てください て下さい 해주세요 해줘"
_REQUESTS_WITHOUT_BLANKS = re.compile(
    "|".join(
        sorted((*_POLITE.split(), *(w for w in REQUEST_WORDS if script_without_blanks(w[0]))), key=len, reverse=True)
    )
)


def asks_for_everything(text: str) -> bool:
    """Whether a clause of `text` says "everything" and names nothing that would narrow it down."""
    clauses = _CLAUSE.findall(_RELATIVE.sub(" ", plain(text)))
    return any(_EVERYTHING.search(clause) and not _names_something(clause) for clause in clauses)


def _names_something(clause: str) -> bool:
    return bool(beyond_request(content_words(_REQUESTS_WITHOUT_BLANKS.sub(" ", clause))))
