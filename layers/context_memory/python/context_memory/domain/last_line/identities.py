"""Identity and tax numbers, only where their form (or a label beside them) and their check digits agree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.nl import bsn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LABEL_BEFORE = 48  # characters before a number in which its label may stand
_LABEL_AFTER = 24
_SEPARATORS = re.compile(r"[\s.\-/]")
_S = r"[ .\-\u00a0\n]{0,2}"


@dataclass(frozen=True, slots=True)
class NumberKind:
    """How one kind of number is found.

    Attributes:
        form: candidates, as a pattern that stands between characters that are no letters or digits.
        is_valid: whether the compact number's check digits agree.
        label: what must stand beside the number, None where its form alone is enough.
    """

    form: re.Pattern[str]
    is_valid: Callable[[str], bool]
    label: re.Pattern[str] | None = None

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of such numbers in `text`."""
        for match in self.form.finditer(text):
            labelled = self.label is None or self._is_labelled(text, *match.span())
            if labelled and self.is_valid(_SEPARATORS.sub("", match[0]).upper()):
                yield match.span()

    def _is_labelled(self, text: str, start: int, end: int) -> bool:
        beside = f"{text[max(0, start - _LABEL_BEFORE) : start]}\n{text[end : end + _LABEL_AFTER]}"
        return self.label is not None and self.label.search(beside) is not None


def _form(pattern: str, *, any_case: bool = False) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w])(?<!\d[-.,/])(?:{pattern})(?![\w])(?![-.,/]\d)", re.IGNORECASE if any_case else 0)


def _label(*names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(names)})(?![^\W_])", re.IGNORECASE)


def _is_dni(number: str) -> bool:
    return dni.is_valid(number) or nie.is_valid(number)


def _is_social_security_number(number: str) -> bool:
    area, group, serial = number[:3], number[3:5], number[5:]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


NUMBER_KINDS: dict[str, tuple[NumberKind, ...]] = {
    "ahv": (NumberKind(_form(rf"756{_S}\d{{4}}{_S}\d{{4}}{_S}\d{{2}}"), ahv.is_valid),),
    "german_tax_id": (
        NumberKind(
            _form(rf"\d{{2}}{_S}\d{{3}}{_S}\d{{3}}{_S}\d{{3}}"),
            idnr.is_valid,
            _label(
                r"steuer[- ]?id(?:entifikationsnummer|entnummer|nr)?",
                r"steuer-?identifikations-?nummer",
                r"steuerliche identifikationsnummer",
                r"id-?nr",
                r"tax (?:id|identification number)",
                r"tin",
            ),
        ),
    ),
    "nir": (
        NumberKind(_form(r"[12] \d\d \d\d (?:\d\d|2[AB]) \d{3} \d{3} \d\d"), nir.is_valid),
        NumberKind(
            _form(rf"[12]{_S}\d\d{_S}\d\d{_S}(?:\d\d|2[AB]){_S}\d{{3}}{_S}\d{{3}}{_S}\d\d"),
            nir.is_valid,
            _label(r"nir", r"insee", r"s[ée]curit[ée] sociale", r"s[ée]cu", r"social security(?: number)?"),
        ),
    ),
    "codice_fiscale": (
        NumberKind(
            _form(r"[A-Z]{3}[ ]?[A-Z]{3}[ ]?\d\d[A-EHLMPRST]\d\d[ ]?[A-Z]\d{3}[ ]?[A-Z]", any_case=True),
            codicefiscale.is_valid,
        ),
    ),
    "dni": (
        NumberKind(_form(r"\d{8}-?[A-Z]|\d{2}\.\d{3}\.\d{3}-?[A-Z]|[XYZ]-?\d{7}-?[A-Z]"), _is_dni),
        NumberKind(
            _form(r"\d{2}\.?\d{3}\.?\d{3}[- ]?[A-Z]|[XYZ][- ]?\d{7}[- ]?[A-Z]", any_case=True),
            _is_dni,
            _label(r"dni", r"nie", r"nif", r"d\.n\.i\."),
        ),
    ),
    "bsn": (
        NumberKind(
            _form(rf"\d{{3}}{_S}\d{{3}}{_S}\d{{3}}|\d{{4}}{_S}\d{{2}}{_S}\d{{3}}"),
            bsn.is_valid,
            _label(r"bsn", r"burgerservicenummer", r"sofi-?nummer"),
        ),
    ),
    "us_ssn": (
        NumberKind(_form(r"\d{3}-\d{2}-\d{4}"), _is_social_security_number),
        NumberKind(
            _form(r"\d{3} \d{2} \d{4}"), _is_social_security_number, _label(r"ssn", r"social security(?: number)?")
        ),
    ),
}
