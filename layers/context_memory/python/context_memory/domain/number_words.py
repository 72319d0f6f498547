"""Numbers as people spell them in letters, so that "for twenty-five years" backs "25 years".

Per number the words of English, German, French, Spanish, Italian, Portuguese and Dutch, folded by `words.plain`.
"""

from __future__ import annotations

import re

from context_memory.domain.han_numbers import han_numbers
from context_memory.domain.words import plain

_UP_TO_NINETEEN = (
    "zero null cero nul",
    "one ein eins eine un une uno una um uma een",
    "two zwei deux dos due dois duas twee couple",
    "three drei trois tres tre drie",
    "four vier quatre cuatro quattro quatro",
    "five funf cinq cinco cinque vijf",
    "six sechs seis sei zes",
    "seven sieben sept siete sette sete zeven",
    "eight acht huit ocho otto oito",
    "nine neun neuf nueve nove negen",
    "ten zehn dix diez dieci dez tien",
    "eleven elf onze once undici",
    "twelve zwolf douze doce dodici doze twaalf dozen",
    "thirteen dreizehn treize trece tredici treze dertien",
    "fourteen vierzehn quatorze catorce quattordici catorze veertien",
    "fifteen funfzehn quinze quince quindici vijftien",
    "sixteen sechzehn seize dieciseis sedici dezesseis dezasseis zestien",
    "seventeen siebzehn diecisiete diciassette dezessete dezassete zeventien",
    "eighteen achtzehn dieciocho diciotto dezoito achttien",
    "nineteen neunzehn diecinueve diciannove dezenove dezanove negentien",
)
_TENS = (
    "twenty zwanzig vingt vingts veinte venti vinte twintig",
    "thirty dreissig trente treinta trenta trinta dertig",
    "forty vierzig quarante cuarenta quaranta quarenta veertig",
    "fifty funfzig cinquante cincuenta cinquanta cinquenta vijftig",
    "sixty sechzig soixante sesenta sessanta sessenta zestig",
    "seventy siebzig septante setenta settanta zeventig",
    "eighty achtzig huitante octante ochenta ottanta oitenta tachtig",
    "ninety neunzig nonante noventa novanta negentig",
)
_HUNDREDS = (
    "doscientos doscientas duzentos duzentas duecento",
    "trescientos trescientas trezentos trezentas trecento",
    "cuatrocientos cuatrocientas quatrocentos quatrocentas quattrocento",
    "quinientos quinientas quinhentos quinhentas cinquecento",
    "seiscientos seiscientas seiscentos seiscentas seicento",
    "setecientos setecientas setecentos setecentas settecento",
    "ochocientos ochocientas oitocentos oitocentas ottocento",
    "novecientos novecientas novecentos novecentas novecento",
)
_SIZES = {
    100: "hundred hundreds hundert cent cents cien ciento cento cem honderd",
    1000: "thousand thousands tausend mille mil mila duizend",
    10**6: "million millions millionen millon millones milione milioni milhao milhoes miljoen",
    10**9: "billion billions milliarde milliarden milliard milliards miliardo miliardi miljard",
}
SCALES = {word: size for size, words in _SIZES.items() for word in words.split()}
_JOINERS = frozenset({"and", "et", "y", "e", "und", "en"})
_FUSED = (("tausend", 1000), ("duizend", 1000), ("hundert", 100), ("honderd", 100))  # "zweihundertfunfzig"
_TOKEN = re.compile(r"[^\W\d_]+|[^\s-]")
_SPOKEN_SIXTY_TO_NINETY_NINE = (60, 80)  # French counts on: "soixante-douze"


def spelled_numbers(text: str) -> frozenset[str]:
    """Every number that `text` spells in letters or in Han characters, as digits."""
    folded = plain(text)
    han = (f"{value.normalize():f}" for _, value in han_numbers(folded))
    return frozenset(map(str, _in_letters(folded))) | frozenset(han)


def _in_letters(folded: str) -> set[int]:
    """The numbers of neighbouring words, put together as far as they go: "two hundred and fifty thousand"."""
    found: set[int] = set()
    whole, current, joined = 0, -1, False  # finished thousands; what is being read, -1 before it begins
    for token in (*_TOKEN.findall(folded), "."):
        if token in _JOINERS and current > 0:
            joined = True
            continue
        value, size = _value(token), SCALES.get(token)
        if size and (size > 100 or 0 < current < 100 or current < 0):  # noqa: PLR2004 - a hundred is the unit
            current = max(current, 1) * size
            if size > 100:  # noqa: PLR2004 - likewise
                whole, current = whole + current, 0
        elif value is not None and current >= 0 and _attaches(current, value, whole):
            if joined:  # "twenty and five" may be two numbers
                found |= {whole + current, value}
            current = _attached(current, value, token)
        else:
            if whole or current >= 0:
                found.add(whole + max(current, 0))
            whole, current = 0, -1 if value is None else value
        joined = False
    return found


def _attaches(current: int, value: int, whole: int) -> bool:
    """Whether `value` goes on with the number that stands at `current`."""
    below_hundred = current % 100
    if not value or (not current and not whole):
        return False
    if not below_hundred:
        return value < 1000 if not current else value < 100  # noqa: PLR2004 - the units of counting
    if below_hundred == 4:  # noqa: PLR2004 - "quatre-vingts"
        return value == 20  # noqa: PLR2004 - likewise
    if below_hundred == 10:  # noqa: PLR2004 - "dix-sept"
        return value in {7, 8, 9}
    if below_hundred % 10 or below_hundred < 20:  # noqa: PLR2004 - nothing follows a unit
        return False
    return value < 20 if below_hundred in _SPOKEN_SIXTY_TO_NINETY_NINE else value < 10  # noqa: PLR2004 - units


def _attached(current: int, value: int, token: str) -> int:
    return current + 76 if token.startswith("vingt") and current % 100 == 4 else current + value  # noqa: PLR2004 - 4 x 20


def _value(word: str) -> int | None:
    """The number that one word is; German and Dutch write hundreds and thousands together with what they count."""
    if word in _VALUES:
        return _VALUES[word]
    for name, size in _FUSED:
        count, fused, rest = word.partition(name)
        if fused and (count or rest):
            before = _value(count) if count else 1
            after = _value(rest.removeprefix("und")) if rest else 0
            return None if before is None or after is None else before * size + after
    return None
