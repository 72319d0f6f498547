"""What is over or to be forgotten: "done with …", "no longer …", "forget …"."""

# ruff: noqa: E501 (a rule is one line: its words compare best unbroken)

from __future__ import annotations

import re

from infra.local.offline_model.body import FOLLOW_UPS, WORK
from infra.local.offline_model.facts import Forgetting, Withdrawal
from infra.local.offline_model.words import content_words

_DONE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:i'?m |i am |we'?re |we are )?(?:now |finally )?(?:done|finished|through) with (?P<what>.+)",
        r"(?:i|i've|i have|we|we've)(?: already| finally| just)* (?:finished|submitted|completed|handed in|sent|called|booked|paid) (?P<what>.+)",
        r"(?P<what>(?!.*\b(?:chat|conversation|talk|day)\b).+?) (?:is|are|has been|have been) (?:now |finally |already )?(?:done|finished|completed|submitted|sent|over)",
        r"(?:ich habe |wir haben )?(?P<what>.+?)(?: ist| sind| habe ich)?(?: jetzt| schon| nun| bereits)? (?:erledigt|abgegeben|abgeschlossen|fertig|eingereicht|angerufen|bezahlt)",
        r"(?P<what>.{2,30}?)(?:已经)?(?:完成|做完|办好)了?",
    )
)
_OVER = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"i (?:no longer|don'?t|do not) (?:use|like|love|enjoy|work (?:on|at|for|as)|live in|speak|read|have|want|need) (?P<what>.+?) any ?more",
        r"i no longer (?:use|like|love|enjoy|work (?:on|at|for|as)|live in|speak|read|have|want|need) (?P<what>.+)",
        r"i(?:'ve| have)? (?:stopped|quit|given up|gave up) (?:using |reading |working on |learning )?(?P<what>.+)",
        r"ich (?:nutze|benutze|verwende|arbeite an|lerne|lese|habe|will|brauche) (?P<what>.+?) nicht mehr",
        r"ich habe (?P<what>.+?) aufgegeben",
        r"我不再(?:用|喜欢|学|住在|在)?(?P<what>.{1,30})",
    )
)
_EVERYTHING = re.compile(
    r"(?:please )?(?:forget|delete|erase|wipe) (?:everything|all(?: of it)?|all (?:you know|that)|your (?:whole )?memory)\b.*"
    r"|(?:bitte )?(?:vergiss|lösche) (?:bitte )?alles\b.*|(?:请)?忘(?:记|掉)(?:所有|一切).*",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"(?:please |just |you can |you should )*(?:forget|stop remembering|delete|remove|erase)"
    r" (?P<what>(?:about |that |what i |the |my |everything about )?.+?)(?: from (?:your |the )?memory)?"
    r"|(?:bitte )?(?:vergiss|streich|lösche) (?:bitte )?(?P<wovon>.+?)(?: aus (?:deinem|dem) gedächtnis)?"
    r"|(?:请)?忘(?:记|掉)(?P<cn>.+)",
    re.IGNORECASE,
)
_ONLY_SAID = re.compile(
    r"(?:it|that|this|about it|about that|es|das|der|den|was ich (?:eben|gerade) gesagt habe)?", re.IGNORECASE
)
_OF_MEMORY = re.compile(r"^(?:delete|remove|erase|lösche|streich)\b(?!.*\b(?:memory|gedächtnis)\b)", re.IGNORECASE)


def forgetting(clause: str) -> Forgetting | None:
    """What the user asks to forget; None when nothing, or when the word only means "never mind"."""
    if _EVERYTHING.fullmatch(clause):
        return Forgetting(everything=True)
    found = _FORGET.fullmatch(clause)
    if found is None or _OF_MEMORY.search(clause):  # "delete the second line" is about a text at hand
        return None
    what = next(filter(None, found.groups()), "")
    words = frozenset() if _ONLY_SAID.fullmatch(what) else content_words(what)
    return Forgetting(words) if words else None


def withdrawal(clause: str) -> Withdrawal | None:
    """What is done (a follow-up, a project, a deadline), or no longer so (in any section)."""
    for pattern in _DONE:
        if (done := pattern.fullmatch(clause)) and (words := content_words(done["what"])):
            return Withdrawal(words, frozenset({FOLLOW_UPS, WORK}))
    for pattern in _OVER:
        if (over := pattern.fullmatch(clause)) and (words := content_words(over["what"])):
            return Withdrawal(words)
    return None
