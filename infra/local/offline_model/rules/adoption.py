"""A short yes to a question of the assistant makes the question's content the user's own statement."""

from __future__ import annotations

import re

MAX_WORDS = 12
_YES = re.compile(
    r"\s*(?:yes|yeah|yep|sure|please do|always|ja|gerne?|genau|immer|好的?|是的?)\b.*", re.IGNORECASE | re.DOTALL
)
_OFFER = re.compile(
    r"(?:^|[.!?]\s+|\n)(?:shall|should|would you like me to|do you want me to)(?: i)? (?P<en>[^?\n]+)\?"
    r"|(?:^|[.!?]\s+|\n)(?:soll|sollte) ich (?P<de>[^?\n]+)\?",
    re.IGNORECASE,
)


def adopted(evidence: str, earlier_answer: str) -> str:
    """The statement that a yes makes of the last offer ("" when there is none): lasting only if it is said to be so."""
    if len(evidence.split()) > MAX_WORDS or not _YES.fullmatch(evidence):
        return ""
    offers = list(_OFFER.finditer(earlier_answer))
    if not offers:
        return ""
    offer = offers[-1]["en"] or offers[-1]["de"]
    lasting = re.search(r"\b(?:always|from now on|immer|ab jetzt)\b", f"{offer} {evidence}", re.IGNORECASE)
    return f"{'ab jetzt' if offers[-1]['de'] else 'from now on'} {offer}" if lasting else ""
