"""The language rule, as far as code can tell: a fact is written in the script that the user wrote in.

Names and terms stay as they were said ("在UBS工作"), so only the words that the user did not say are looked at. Within
one script the evidence rule does the rest: a translated fact shares no word with what was said.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

from context_memory.domain.language.words import plain, script_without_blanks

_ONE_WRITING = {"hiragana": "han", "katakana": "han"}
"""Japanese is written in three scripts at once, of which one is Chinese."""


def in_the_users_script(text: str, said: str) -> bool:
    """Whether what `text` says beyond `said` is in a script that `said`, beyond `text`, is mostly written in."""
    new, old = _words(plain(text)), _words(plain(said))
    mine, theirs = _scripts(_without(new, old)), _scripts(_without(old, new))
    if not mine or not theirs:
        return True
    return theirs[mine.most_common(1)[0][0]] * 2 >= theirs.most_common(1)[0][1]


def _without(words: list[str], others: list[str]) -> str:
    shared = frozenset(others)
    return "".join(word for word in words if word not in shared)


def _words(folded: str) -> list[str]:
    """Words, and of scripts without blanks single characters."""
    parted = "".join(f" {char} " if script_without_blanks(char) else char for char in folded)
    return "".join(char if char.isalnum() else " " for char in parted).split()


def _scripts(text: str) -> Counter[str]:
    return Counter(map(_script, filter(str.isalpha, text)))


def _script(char: str) -> str:
    if char.isascii():
        return "latin"
    if script := script_without_blanks(char):
        return _ONE_WRITING.get(script, script)
    return unicodedata.name(char, "?").partition(" ")[0].casefold()
