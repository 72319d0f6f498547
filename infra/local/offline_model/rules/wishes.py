"""Wishes for the form of answers that are meant to last: "from now on …", "ab jetzt …", "always …", "I prefer …".

Only the form: an order of another kind (recommend, send, hide) is nobody's memory, however lasting it is meant.
"""

# ruff: noqa: E501 (a rule is one line: its words compare best unbroken)

from __future__ import annotations

import re

from infra.local.offline_model.body import COMMUNICATION, IDENTITY
from infra.local.offline_model.facts import Fact
from infra.local.offline_model.rules import english, german
from infra.local.offline_model.slots import forms

_LASTING = re.compile(
    r"\b(?:from now on|in (?:the )?future|going forward|always|never|in general|ab jetzt|ab sofort|von nun an"
    r"|in zukunft|künftig|immer|nie(?:mals)?)\b,?",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"\b(?:from now on|going forward|ab jetzt|ab sofort|von nun an|please|bitte)\b,?", re.IGNORECASE)
_ORDER = re.compile(
    r"\b(?:recommend|send|hide|ignore|forward|invest|buy|sell|delete|e-?mail|empfiehl|empfehle|sende|schick\w*|verschweig\w*"
    r"|ignorier\w*|kaufe?|verkaufe?|lösch\w*)\b",
    re.IGNORECASE,
)
_PREFER_EN = re.compile(r"i(?:'d| would)?(?: really| generally| usually| now)* prefer (?P<what>.+)", re.IGNORECASE)
_PREFER_DE = re.compile(
    r"(?:ich bevorzuge (?P<what>.+)|(?P<liked>.+?) sind mir lieber"
    r"|ich mag (?:lieber )?(?P<like>.+?) (?:lieber|am liebsten))",
    re.IGNORECASE,
)
_DISLIKE = re.compile(r"i (?:don'?t|do not)(?: really)? (?:like|want) (?P<what>.+)", re.IGNORECASE)
_WANTED_EN = re.compile(r"i (?:want|would like|'d like|need) (?:you to )?(?P<what>.+)", re.IGNORECASE)
_WANTED_DE = re.compile(r"ich (?:möchte|will|hätte gerne?|wünsche mir) (?P<what>.+)", re.IGNORECASE)
_TOLD_EN = re.compile(
    r"(?:always |never |only )?(?:answer|reply|respond|write|use|give|keep|explain|format|speak|talk|address|include|avoid"
    r"|stop|don'?t|do not|no|make|be|show|start|end|summari[sz]e|put|skip|add|short|concise|brief|bullet)\b.*",
    re.IGNORECASE,
)
_TOLD_DE = re.compile(
    r"(?:antworte?|schreibe?|gib|erkläre?|verwende?|nutze?|benutze?|sprich|rede|duze?|sieze?|halte|fasse?|mach|zeige?"
    r"|formuliere?|keine?|nur)\b.*|.+ (?:antworten|schreiben|erklären|verwenden|formulieren|duzen|siezen)",
    re.IGNORECASE,
)


def wish(clause: str) -> Fact | None:
    """The bullet of a lasting wish, None when the clause is none or is about more than form."""
    if _ORDER.search(clause):
        return None
    return _preference(clause) or _standing(clause)


def _preference(clause: str) -> Fact | None:
    """A preference says by itself that it lasts; for answers it is communication, for tea the person's own."""
    if (found := _DISLIKE.fullmatch(clause)) and forms(found["what"]):
        return Fact(COMMUNICATION, f"Does not want {english.tidy(found['what'])}.")
    if found := _PREFER_EN.fullmatch(clause):
        what = english.tidy(found["what"])
        text = f"Prefers {what}."
    elif found := _PREFER_DE.fullmatch(clause):
        what = german.tidy(next(filter(None, found.groups())))
        text = f"Bevorzugt {what}."
    else:
        return None
    return Fact(COMMUNICATION, text) if forms(what) else Fact(IDENTITY, text, family="taste", about=what)


def _standing(clause: str) -> Fact | None:
    """An order how to answer counts only with a word that makes it last."""
    if not (_LASTING.search(clause) and forms(clause)):
        return None
    told = " ".join(_FROM_NOW.sub(" ", clause).split())
    if found := _WANTED_EN.fullmatch(told):
        return Fact(COMMUNICATION, f"Wants {english.tidy(found['what'])}.")
    if (found := _WANTED_DE.fullmatch(told)) or _TOLD_DE.fullmatch(told):
        return Fact(COMMUNICATION, f"Wunsch für Antworten: {german.tidy(found['what'] if found else told)}.")
    if _TOLD_EN.fullmatch(told):
        return Fact(COMMUNICATION, f"Wants the assistant to {told[:1].lower()}{english.tidy(told)[1:]}.")
    return None
