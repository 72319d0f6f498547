"""How people say the numbers below a thousand, and the sizes that they count in, folded by `words.plain`.

Per number the words of English, German, French, Spanish, Italian, Portuguese and Dutch.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    "seventeen siebzehn dix-sept diecisiete diciassette dezessete dezassete zeventien",
    "eighteen achtzehn dix-huit dieciocho diciotto dezoito achttien",
    "nineteen neunzehn dix-neuf diecinueve diciannove dezenove dezanove negentien",
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
# Per language the tens from twenty, the units from one, and how a unit is put to its ten.
_ENGLISH = ("twenty thirty forty fifty sixty seventy eighty ninety", "one two three four five six seven eight nine")
_GERMAN = ("zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
           "ein zwei drei vier funf sechs sieben acht neun")  # fmt: skip
_FRENCH = ("vingt trente quarante cinquante soixante septante huitante nonante",
           "un deux trois quatre cinq six sept huit neuf")  # fmt: skip
_SPANISH = ("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
            "uno dos tres cuatro cinco seis siete ocho nueve")  # fmt: skip
_ITALIAN = ("venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
            "uno due tre quattro cinque sei sette otto nove")  # fmt: skip
_PORTUGUESE = ("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
               "um dois tres quatro cinco seis sete oito nove")  # fmt: skip
_DUTCH = ("twintig dertig veertig vijftig zestig zeventig tachtig negentig",
          "een twee drie vier vijf zes zeven acht negen")  # fmt: skip


def _pairs(language: tuple[str, str]) -> Iterator[tuple[str, str, int]]:
    """Each ten with each unit, and the number that they make."""
    tens, units = (words.split() for words in language)
    for (ten_at, ten), (unit_at, unit) in product(enumerate(tens, start=2), enumerate(units, start=1)):
        yield ten, unit, 10 * ten_at + unit_at


def _up_to_ninety_nine() -> Iterator[tuple[str, int]]:
    yield from ((word, at) for at, words in enumerate(_UP_TO_NINETEEN) for word in words.split())
    for tens, _ in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH):
        yield from ((ten, 10 * at) for at, ten in enumerate(tens.split(), start=2))
    yield from ((f"{ten}-{unit}", value) for ten, unit, value in _pairs(_ENGLISH))
    yield from ((f"{unit}und{ten}", value) for ten, unit, value in _pairs(_GERMAN))
    yield from ((f"{unit}en{ten}", value) for ten, unit, value in _pairs(_DUTCH))
    yield from ((f"{ten}-{joint}{unit}", value) for ten, unit, value in _pairs(_FRENCH) for joint in ("", "et-"))
    yield from ((f"{ten}-y-{unit}", value) for ten, unit, value in _pairs(_SPANISH))
    yield from ((f"veinti{unit.removesuffix('o') if unit == 'uno' else unit}", value)
                for ten, unit, value in _pairs(_SPANISH) if ten == "veinte")  # fmt: skip
    yield from ((f"{ten}-e-{unit}", value) for ten, unit, value in _pairs(_PORTUGUESE))
    yield from ((f"{ten[:-1] if unit[0] in 'uo' else ten}{unit}", value) for ten, unit, value in _pairs(_ITALIAN))
    # French counts on from sixty and from eighty.
    teens = "dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split()  # noqa: SIM905 - as above
    yield from ((f"soixante-{joint}{teen}", 70 + at) for at, teen in enumerate(teens) for joint in ("", "et-"))
    yield from ((f"quatre-vingt-{teen}", 90 + at) for at, teen in enumerate(teens))
    yield from ((f"quatre-vingt-{unit}", 80 + at) for at, unit in enumerate(_FRENCH[1].split(), start=1))
    yield from (("quatre-vingt", 80), ("quatre-vingts", 80))


NUMBERS = dict(_up_to_ninety_nine()) | {
    word: 100 * at for at, words in enumerate(_HUNDREDS, start=2) for word in words.split()
}
"""Number by its words, which one hyphen parts."""
SIZES = {word: size for size, words in _SIZES.items() for word in words.split()}
FUSED_SIZES = (("tausend", 1000), ("duizend", 1000), ("hundert", 100), ("honderd", 100))
"""What German and Dutch write together with its count: "zweihundertfunfzig"."""
LONGEST_PHRASE = max(phrase.count("-") + 1 for phrase in NUMBERS)
