"""Small numbers as people spell them, so that "I have three daughters" backs "3 daughters"."""

from __future__ import annotations

from context_memory.domain.words import plain

# Position is the number; per number English, German, French, Spanish, Italian, Portuguese, Dutch.
_SPELLED = (
    "zero null cero nul",
    "one ein eins eine un une uno una um uma een",
    "two zwei deux dos due dois duas twee couple",
    "three drei trois tres tre drie",
    "four vier quatre cuatro quattro quatro",
    "five fünf cinq cinco cinque vijf",
    "six sechs seis sei zes",
    "seven sieben sept siete sette sete zeven",
    "eight acht huit ocho otto oito",
    "nine neun neuf nueve nove negen",
    "ten zehn dix diez dieci dez tien",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici doze twaalf dozen",
)
_VALUE = {plain(word): str(number) for number, words in enumerate(_SPELLED) for word in words.split()}
_HAN = {char: str(number) for number, char in enumerate("〇一二三四五六七八九十")} | {"两": "2", "兩": "2"}


def spelled_numbers(text: str) -> frozenset[str]:
    """Numbers from 0 to 12 that `text` spells in letters, as digits."""
    folded = plain(text)
    return frozenset(_VALUE[word] for word in _letters(folded) if word in _VALUE) | frozenset(
        _HAN[char] for char in folded if char in _HAN
    )


def _letters(text: str) -> list[str]:
    return "".join(char if char.isalpha() else " " for char in text).split()
