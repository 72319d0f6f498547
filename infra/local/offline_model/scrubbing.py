"""The content policy by rules: what identifies somebody else, and numbers that belong to nobody's memory."""

from __future__ import annotations

import re

_NUMBERS = re.compile(
    r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}\b"  # IBAN-like
    r"|\b(?:\d[ -]?){13,19}\b"  # card-like
    r"|\b756\.\d{4}\.\d{4}\.\d{2}\b"  # Swiss social security number
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]+"  # mail
    r"|(?:\+|\b00)\d{1,3}(?:[ ./-]?\d{2,4}){3,5}\b|\b0\d{2}[ /]\d{3}[ ]?\d{2}[ ]?\d{2}\b"  # phone
    r"|\b(?:password|passwort|passcode|api key|pin code)\b\s*(?:is|ist|:|=)",
    re.IGNORECASE,
)
_ROLE = (
    r"(?:client|customer|prospect|counterparty|colleague|co-?worker|boss|manager|wife|husband|friend|neighbou?r|patient"
    r"|kunde|kundin|kunden|mandant(?:in|en)?|kolleg(?:e|en|in)|chef(?:in)?|nachbar(?:in)?|freund(?:in)?|patient(?:in)?)"
)
_NAMED = rf"(?i:{_ROLE})s?,? (?:[Hh]err |[Ff]rau |Mr\.? |Ms\.? |Mrs\.? )?[A-ZÄÖÜ][\w-]+(?: [A-ZÄÖÜ][\w-]+)*"
_OTHER = re.compile(rf"\b{_NAMED}")
_ADJUNCT = re.compile(
    r",? (?:for|with|of|about|für|mit|von|bei)"
    r" (?:(?:the|our|my|their|his|her|an?|dem|der|den|unser\w*|mein\w*|sein\w*|ihr\w*) )?"
    rf"{_NAMED}"
)
_MIN_WORDS = 3


def scrubbed(line: str, *, identity: str) -> str:
    """The line as it may stand: unchanged, shortened to the work without the person, or "" where nothing is left.

    `identity` is the user's own section: a name that stands there is the user's.
    """
    if _NUMBERS.search(line):
        return ""
    others = [hit[0] for hit in _OTHER.finditer(line) if hit[0].split()[-1] not in identity]
    if not others:
        return line
    kept = _ADJUNCT.sub("", line)
    return kept if not _OTHER.search(kept) and len(kept.split()) >= _MIN_WORDS else ""
