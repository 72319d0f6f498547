"""Statements in German; bullets keep the user's own words, with the verb in the third person."""

# ruff: noqa: E501 (a rule is one line: its words compare best unbroken)

from __future__ import annotations

import re

from infra.local.offline_model.body import FOLLOW_UPS, IDENTITY, SKILLS, TOPICS, WORK
from infra.local.offline_model.rules.table import Rule, Table
from infra.local.offline_model.slots import CALLED, EMPLOYER, GOAL, NAME, ORIGIN, PLACE, READING, ROLE

_NOW = r"(?: jetzt| nun| aktuell| derzeit| gerade| zurzeit| inzwischen| neu| momentan| auch| noch| vor allem| meistens| sehr| seit \w+(?: \w+)?)*"
_NAME = r"(?-i:[A-ZÄÖÜ][\w-]*(?: [A-ZÄÖÜ][\w-]*){0,2})"
_ISO = r"\d{4}-\d{2}-\d{2}"
_TASTE, _SKILL, _DEADLINE = "taste", "skill", "deadline"
_STATE = r"\b(?:mir|nicht|sicher|froh|müde|krank|gespannt|dabei|ein (?:bisschen|wenig|fan|grosser|großer)|eine idee|unsicher)\b"

_PADDING = re.compile(
    r"(?:[\s,]+(?:jetzt|nun|auch|übrigens|bitte|danke|letzte[nr]? (?:woche|monat|jahr)|vor kurzem|gerade|umgezogen|gezogen"
    r"|seit \w+(?: \w+)?|sehr|gerne?|zurzeit|momentan))+$",
    re.IGNORECASE,
)


def tidy(value: str) -> str:
    """Without padding at its end."""
    return " ".join(_PADDING.sub("", value.strip(" ,.;:!-–—")).split())  # noqa: RUF001 (typographic dashes)


GERMAN = Table(
    tidy=tidy,
    alone={
        "name": "Heisst {name}.",
        "called": "Möchte genannt werden: {called}.",
        "role": "Arbeitet als {role}.",
        "employer": "Arbeitet bei {employer}.",
        "place": "Wohnt in {place}.",
        "origin": "Kommt aus {origin}.",
        "reading": "Liest gerade {reading}.",
        "goal": "Ziel: {goal}.",
    },
    rules=(
        # Who the user is: the newest statement counts
        Rule(rf"(?:ich hei(?:ss|ß)e|mein name ist) (?P<name>{_NAME})", IDENTITY, "", (NAME,)),
        Rule(rf"(?:bitte )?(?:nenn|nenne) mich (?:bitte |einfach |ab jetzt )*(?P<called>{_NAME})", IDENTITY, "", (CALLED,)),
        Rule(rf"ich arbeite{_NOW} als (?P<role>.+?) (?:bei|für) (?P<employer>.+)", IDENTITY,
             "Arbeitet als {role} bei {employer}.", (ROLE, EMPLOYER)),
        Rule(rf"ich arbeite{_NOW} als (?P<role>.+)", IDENTITY, "", (ROLE,)),
        Rule(rf"ich arbeite{_NOW} (?:bei|für) (?P<employer>.+?)(?: als (?P<role>.+))?", IDENTITY,
             "Arbeitet als {role} bei {employer}.", (EMPLOYER, ROLE)),
        Rule(r"ich (?:habe|bin) (?:(?:jetzt|gerade|nun) )?zur? (?P<employer>(?-i:[A-ZÄÖÜ]).+?) gewechselt", IDENTITY, "", (EMPLOYER,)),
        Rule(r"mein neuer arbeitgeber ist (?P<employer>.+)", IDENTITY, "", (EMPLOYER,)),
        Rule(rf"ich bin{_NOW} (?P<role>(?-i:[A-ZÄÖÜ][\w-]+)(?:in|er|or|ist|ant|arzt|ent|eur|eurin|frau|mann|lehrling))"
             r"(?: (?:bei|für) (?P<employer>.+)| von beruf)?", IDENTITY, "Arbeitet als {role} bei {employer}.", (ROLE, EMPLOYER), unless=_STATE),
        Rule(rf"ich (?:wohne|lebe){_NOW} in (?P<place>.+?)(?: (?:mit|zusammen) .+)?", IDENTITY, "", (PLACE,)),
        Rule(rf"ich bin{_NOW}(?: letzte\w* \w+| vor kurzem)?(?: (?:von|aus) .+?)? nach (?P<place>(?-i:[A-ZÄÖÜ]).+?) (?:umgezogen|gezogen)",
             IDENTITY, "", (PLACE,)),
        Rule(rf"ich (?:komme|stamme){_NOW} aus (?P<origin>.+)", IDENTITY, "", (ORIGIN,)),
        Rule(rf"ich lese{_NOW} (?P<reading>.+)", IDENTITY, "", (READING,)),
        # Who the user is: several may stand
        Rule(rf"ich spreche{_NOW} (?P<about>(?-i:[A-ZÄÖÜ]).+)", IDENTITY, "Spricht {about}.", family="speech"),
        Rule(r"ich habe (?P<about>(?:einen?|zwei|drei|vier) (?:[\w-]+ ){0,2}(?:hund|hunde|katzen?|töchter|tochter|sohn|söhne|kind|kinder))",
             IDENTITY, "Hat {about}."),
        Rule(rf"ich liebe{_NOW} (?P<about>.+)", IDENTITY, "Liebt {about}.", family=_TASTE, unless=r"liebe (?:es|das|dich)\b"),
        Rule(rf"ich mag{_NOW} (?P<about>.+?) nicht(?: mehr)?", IDENTITY, "Mag nicht: {about}.", family=_TASTE, unless=r"mag (?:es|das|dich)\b"),
        Rule(rf"ich mag{_NOW} keine?n? (?P<about>.+)", IDENTITY, "Mag nicht: {about}.", family=_TASTE),
        Rule(rf"ich mag{_NOW} (?P<about>.+)", IDENTITY, "Mag {about}.", family=_TASTE, unless=r"mag (?:es|das|dich)\b"),
        # Work
        Rule(rf"(?:ich arbeite|wir arbeiten){_NOW} (?:an|am) (?P<about>.+)", WORK, "Arbeitet an {about}.", family="project"),
        Rule(r"mein (?:aktuelles |neues )?projekt (?:ist|heisst|heißt) (?P<about>.+)", WORK, "Projekt: {about}.", family="project"),
        Rule(r"mein (?:neues )?ziel ist(?: es)?,? (?P<goal>.+)", WORK, "", (GOAL,)),
        Rule(rf"(?:die|meine|unsere) (?:deadline|frist|abgabe) (?:für |von )?(?P<about>.+?) (?:ist|wurde|wird) (?:jetzt |nun )?"
             rf"(?:am |bis |auf (?:den )?)?(?P<day>{_ISO})(?: verschoben)?", WORK, "Frist für {about}: {day}.", family=_DEADLINE),
        Rule(rf"(?:die|meine|unsere) (?:deadline|frist|abgabe) (?:ist|wurde|wird) (?:jetzt |nun )?(?:am |bis |auf (?:den )?)?"
             rf"(?P<day>{_ISO})(?: verschoben)?", WORK, "Frist: {day}.", family=_DEADLINE),
        # Skills
        Rule(rf"ich lerne{_NOW} (?P<about>.+)", SKILLS, "Lernt {about}.", family=_SKILL),
        Rule(rf"ich (?:programmiere|entwickle|schreibe code){_NOW} in (?P<about>.+)", SKILLS, "Programmiert in {about}.", family=_SKILL),
        Rule(rf"ich (?:nutze|benutze|verwende){_NOW} (?P<about>.+)", SKILLS, "Nutzt {about}.", family=_SKILL,
             unless=r"(?:nutze|benutze|verwende) (?:das|dies|diese|es|die|den|folgend)\w*\b"),
        Rule(rf"ich kann{_NOW} (?P<about>(?:gut )?(?-i:[A-Z][\w+#.]*(?:(?:, | und )[A-Z][\w+#.]*)*))", SKILLS, "Kann {about}.", family=_SKILL),
        Rule(r"ich kenne mich (?:gut )?mit (?P<about>.+?) aus", SKILLS, "Kennt sich mit {about} aus.", family=_SKILL),
        # Follow-ups and topics
        Rule(rf"(?:bitte )?erinner[ne]?(?: mich)?(?: bitte)? (?:(?:am|bis) )?(?P<when>{_ISO})(?: um [\w:]+)?(?: daran)?,? (?:an |dass ich )?(?P<about>.+)",
             FOLLOW_UPS, "Möchte am {when} erinnert werden: {about}.", family="reminder"),
        Rule(r"(?:bitte )?erinner[ne]?(?: mich)?(?: bitte)?(?: daran)?,? (?:an |dass ich )?(?P<about>.+?)(?: erinnern)?", FOLLOW_UPS,
             "Möchte erinnert werden: {about}.", family="reminder"),
        Rule(rf"(?:am )?(?P<when>{_ISO}) daran erinnern,? (?:dass ich )?(?P<about>.+)", FOLLOW_UPS,
             "Möchte am {when} erinnert werden: {about}.", family="reminder"),
        Rule(rf"(?:am )?(?P<when>{_ISO}) an (?P<about>.+) erinnern", FOLLOW_UPS, "Möchte am {when} erinnert werden: {about}.", family="reminder"),
        Rule(r"daran erinnern,? (?:dass ich )?(?P<about>.+)", FOLLOW_UPS, "Möchte erinnert werden: {about}.", family="reminder"),
        Rule(r"an (?P<about>.+) erinnern", FOLLOW_UPS, "Möchte erinnert werden: {about}.", family="reminder"),
        Rule(rf"ich muss (?P<about>.*{_ISO}.*)", FOLLOW_UPS, "Muss {about}.", family="reminder"),
        Rule(rf"(?:wir machen|ich mache|lass uns)(?: (?:am )?{_ISO}| später| nächstes mal)? (?:mit|bei) (?P<about>.+?) weiter(?:machen)?", TOPICS,
             "{about}.", family="topic"),
    ),
)  # fmt: skip
