"""Statements in English."""

# ruff: noqa: E501 (a rule is one line: its words compare best unbroken)

from __future__ import annotations

import re

from infra.local.offline_model.body import FOLLOW_UPS, IDENTITY, SKILLS, TOPICS, WORK
from infra.local.offline_model.rules.table import Rule, Table
from infra.local.offline_model.slots import (
    CALLED,
    EMPLOYER,
    GOAL,
    NAME,
    ORIGIN,
    PLACE,
    READING,
    ROLE,
    ZONE,
)

_I_AM = r"(?:i'?m|i am)"
_NOW = r"(?: now| always| currently| still| actually| mostly| mainly| also| really| just| quite)*"
_BEEN = r"(?:i'?ve|i have)(?: also| just)* been"
_ALWAYS = r"i(?:'ve| have)(?: also)? always(?: really)?"
_PLACE = r"(?P<about>(?-i:[A-Z][\w-]+(?: [A-Z][\w-]+)*))(?:[ ,](?!next\b).*)?"
_NAME = r"(?-i:[A-ZÄÖÜ][\w'-]*(?: [A-ZÄÖÜ][\w'-]*){0,2})"
_STATE = (
    r"\b(?:a (?:bit|little|lot|few|fan|big|huge|beginner|newbie|newcomer|complete|total)|sorry|sure|afraid|not|having|getting"
    r"|trying|looking|going|wondering|curious|happy|glad|stuck|confused|tired|an? idiot|using|planning)\b"
)
_TASTE = "taste"
_SKILL = "skill"
_DEADLINE = "deadline"
_ISO = r"\d{4}-\d{2}-\d{2}"
_WHEN = rf"(?:on|by|before|until|for) {_ISO}"

_PADDING = re.compile(
    r"(?:[\s,]+(?:now|too|as well|these days|nowadays|at the moment|right now|currently|anyway|by the way|thanks?|please"
    r"|last (?:week|month|year|summer|weekend)|recently|this (?:week|month|year)|since \w+(?: \w+)?|a lot|very much"
    r"|so much|the most|lately|sometimes|(?:every )?now and then|from time to time|etc|(?:a )?(?:few )?(?:days?|weeks?|months?|years?) ago|though|actually|again))+$",
    re.IGNORECASE,
)
_PERSON = (
    (r"\bI'm\b|\bI am\b", "they are"), (r"\bI've\b|\bI have\b", "they have"), (r"\bI'll\b", "they will"),
    (r"\bI\b", "they"), (r"\bmy\b", "their"), (r"\bmine\b", "theirs"), (r"\bmyself\b", "themselves"), (r"\bme\b", "them"),
)  # fmt: skip


_REMARK = re.compile(
    r",? (?:because|but|although|though|so (?:i|that|it)|as (?:i|it|these|they)|which is|and feel(?:ing)?)\b.*|, (?:it|this|that|they)\b.*",
    re.IGNORECASE,
)


def tidy(value: str) -> str:
    """Without remarks and padding at its end, and in the third person."""
    value = _PADDING.sub("", _REMARK.sub("", value).strip(" ,.;:!-–—"))  # noqa: RUF001 (typographic dashes)
    for pattern, third in _PERSON:
        value = re.sub(pattern, third, value, flags=re.IGNORECASE if pattern.islower() else 0)
    return " ".join(value.split())


ENGLISH = Table(
    tidy=tidy,
    alone={
        "name": "Name is {name}.",
        "called": "Wants to be called {called}.",
        "role": "Works as {role}.",
        "employer": "Works at {employer}.",
        "place": "Lives in {place}.",
        "origin": "Comes from {origin}.",
        "reading": "Is reading {reading}.",
        "zone": "Time zone is {zone}.",
        "goal": "Goal: {goal}.",
    },
    rules=(
        # Who the user is: the newest statement counts
        Rule(rf"my(?: full| first)? name(?: is|'s) (?P<name>{_NAME})", IDENTITY, "", (NAME,)),
        Rule(rf"(?:please |you can |just |everyone )*calls? me (?P<called>{_NAME})(?: from now on| instead)?", IDENTITY, "", (CALLED,)),
        Rule(rf"i{_NOW} work as (?P<role>an? .+?|the .+?) (?:at|for) (?P<employer>(?:the |an? )?.+)", IDENTITY,
             "Works as {role} at {employer}.", (ROLE, EMPLOYER)),
        Rule(rf"i{_NOW} work as (?P<role>.+)", IDENTITY, "", (ROLE,)),
        Rule(rf"i{_NOW} work (?:at|for) (?P<employer>.+)", IDENTITY, "", (EMPLOYER,), unless=r"for (?:hours|days|me)\b"),
        Rule(rf"(?:i|i've|i have){_NOW} (?:joined|started (?:working )?at|switched to|changed to|moved over to|got hired by)"
             r" (?P<employer>(?-i:the [A-Z]|[A-Z]).+?)(?: as (?P<role>an? .+))?", IDENTITY,
             "Works as {role} at {employer}.", (EMPLOYER, ROLE)),
        Rule(r"my new (?:employer|company) is (?P<employer>.+)", IDENTITY, "", (EMPLOYER,)),
        Rule(rf"{_I_AM}{_NOW} (?P<role>an? [\w -]+?) (?:at|for) (?P<employer>(?-i:[A-Z]|the [A-Z]|a [A-Z]).*)", IDENTITY,
             "Works as {role} at {employer}.", (ROLE, EMPLOYER), unless=_STATE),
        Rule(rf"{_I_AM}{_NOW} (?P<role>an? (?:[\w-]+ ){{0,4}}[\w-]*(?:er|or|ist|ant|ect|ian|ent|lyst|nurse|lead|chef|clerk|cook|fellow))"
             r"(?: by (?:trade|training|profession))?", IDENTITY, "", (ROLE,), unless=_STATE),
        Rule(rf"i{_NOW} live in (?P<place>.+?)(?: with .+)?", IDENTITY, "", (PLACE,)),
        Rule(rf"{_I_AM}{_NOW} (?:based|living) in (?P<place>.+)", IDENTITY, "", (PLACE,)),
        Rule(rf"(?:i|i've|i have|we|we've){_NOW} moved(?: here)?(?: (?:back )?from .+?)?(?: back)? to (?P<place>(?-i:[A-Z]).+?)(?: from .+)?",
             IDENTITY, "", (PLACE,)),
        Rule(rf"{_I_AM} (?:originally )?from (?P<origin>(?-i:[A-Z]).+)", IDENTITY, "", (ORIGIN,)),
        Rule(r"my time ?zone is (?P<zone>.+)", IDENTITY, "", (ZONE,)),
        Rule(rf"(?:i|i've|i have)?(?: ?'m| am| been)?{_NOW} ?(?:reading|started reading) (?:an? (?:book|novel) (?:called|named|titled) )?(?P<reading>.+)", IDENTITY, "", (READING,),
             unless=r"reading (?:at|in|it|this|that)\b|reading (?:a|some) (?:books?|novels?)\b(?! (?:by|about|called|named|on|of))"),
        # Who the user is: several may stand
        Rule(rf"i{_NOW} speak (?P<about>.+)", IDENTITY, "Speaks {about}.", family="speech"),
        Rule(r"i have (?P<about>(?:an?|two|three|four) (?:[\w-]+ ){0,2}(?:dogs?|cats?|daughters?|sons?|child|children|kids))",
             IDENTITY, "Has {about}."),
        Rule(rf"(?:i{_NOW} love|{_ALWAYS} loved) (?P<about>.+)", IDENTITY, "Loves {about}.", family=_TASTE,
             unless=r"loved? (?:it|this|that|how|you|to see)\b|love the .*\b(?:style|plot|story|ending|idea)$"),
        Rule(rf"(?:i{_NOW} enjoy|{_ALWAYS} enjoyed) (?P<about>.+)", IDENTITY, "Enjoys {about}.", family=_TASTE,
             unless=r"enjoy(?:ed)? (?:it|this|that)\b"),
        Rule(rf"i{_NOW} practi[cs]e (?P<about>.+)", IDENTITY, "Practices {about}.", family=_TASTE,
             unless=r"practi[cs]e (?:it|this|that|some|a lot|every|my|law|medicine)\b"),
        Rule(r"my favou?rite (?P<about>[\w -]+?) (?:is|are) (?P<value>.+)", IDENTITY, "Favorite {about}: {value}.", family="favourite",
             unless=r"favou?rite (?:part|thing|one|ones)\b|\b(?:is|are) (?:it|this|that|when|how|the way)\b"),
        Rule(rf"i{_NOW} (?:don'?t|do not)(?: really)? like (?P<about>.+)", IDENTITY, "Does not like {about}.", family=_TASTE,
             unless=r"like (?:it|this|that|the way)\b"),
        Rule(rf"i{_NOW} (?:hate|can'?t stand) (?P<about>.+)", IDENTITY, "Does not like {about}.", family=_TASTE, unless=r"(?:it|this|that)\b"),
        Rule(rf"(?:i{_NOW} like|{_ALWAYS} liked) (?P<about>.+)", IDENTITY, "Likes {about}.", family=_TASTE, unless=r"like (?:it|this|that|the|your|how|i|there|when|what|to (?:match|know|ask|say|see))\b"),
        # Work
        Rule(rf"(?:{_I_AM}|we'?re|we are){_NOW} working on (?P<about>.+)", WORK, "Is working on {about}.", family="project",
             unless=r"on (?:it|this|that)\b"),
        Rule(r"my (?:current |new |main )?project (?:is|is called|is about) (?P<about>.+)", WORK, "Project: {about}.", family="project",
             unless=r"project is (?:done|finished|late|not)\b"),
        Rule(r"my (?:main |new )?goal is (?:to )?(?P<goal>.+)", WORK, "", (GOAL,)),
        Rule(rf"{_I_AM}{_NOW} preparing (?:for )?(?P<about>.+)", WORK, "Is preparing for {about}.", family="project"),
        Rule(rf"(?:i{_NOW} plan|{_I_AM}{_NOW} planning) to (?:go|travel|fly|go on a trip) to {_PLACE}", WORK, "Plans a trip to {about}.", family="trip"),
        Rule(rf"i{_NOW} want to (?:go|travel|fly) to {_PLACE} next (?:week|month|year|summer|winter)\b.*", WORK, "Plans a trip to {about}.", family="trip"),
        Rule(rf"(?:{_I_AM}|{_BEEN}){_NOW} planning a trip to {_PLACE}", WORK, "Plans a trip to {about}.", family="trip"),
        Rule(rf"(?:the|my|our) deadline (?:for |of )?(?P<about>.+?) (?:is|has (?:been )?moved to|moved to|is now|was moved to)"
             rf" (?:on |by )?(?P<day>{_ISO}.*)", WORK, "Deadline for {about}: {day}.", family=_DEADLINE),
        Rule(rf"(?:the|my|our) deadline (?:is|has (?:been )?moved to|moved to|is now|was moved to) (?:on |by )?(?P<day>{_ISO}.*)",
             WORK, "Deadline: {day}.", family=_DEADLINE),
        Rule(rf"(?P<about>(?:the|my|our) .+?) (?:is|are) due (?:on |by )?(?P<day>{_ISO}.*)", WORK, "Deadline for {about}: {day}.",
             family=_DEADLINE),
        # Skills
        Rule(rf"(?:{_I_AM}|{_BEEN}){_NOW} (?:learning|studying|new to|a beginner (?:in|at|with)) (?P<about>.+)", SKILLS, "Is learning {about}.",
             family=_SKILL, unless=r"ing (?:it|this|that|a lot|from|hard)\b|\b(?:a|some) new (?:skill|thing|language)s?\b"),
        Rule(rf"{_I_AM}{_NOW} (?:very )?(?:good|experienced|fluent|proficient) (?:at|in|with) (?P<about>.+)", SKILLS,
             "Is experienced with {about}.", family=_SKILL),
        Rule(rf"i{_NOW} (?:code|program|write(?: code)?|develop)(?: mostly| mainly)? in (?P<about>.+)", SKILLS, "Writes code in {about}.", family=_SKILL),
        Rule(rf"i{_NOW} use (?P<about>.+)", SKILLS, "Uses {about}.", family=_SKILL,
             unless=r"use (?:this|that|it|the following|the same|a|an|these|them)\b"),
        Rule(rf"i{_NOW} know (?P<about>(?:how to .+)|(?-i:[A-Z][\w+#.]*(?:(?:, | and )[A-Z][\w+#.]*)*))", SKILLS, "Knows {about}.", family=_SKILL),
        # Follow-ups and topics
        Rule(rf"(?:please )?remind me (?P<when>{_WHEN})(?: at [\w:]+)? (?:to|of|about|that) (?P<about>.+)", FOLLOW_UPS,
             "Wants to be reminded to {about} {when}.", family="reminder"),
        Rule(r"(?:please )?remind me to (?P<about>.+)", FOLLOW_UPS, "Wants to be reminded to {about}.", family="reminder"),
        Rule(r"(?:please )?remind me (?:of|about) (?P<about>.+)", FOLLOW_UPS, "Wants to be reminded of {about}.", family="reminder"),
        Rule(r"(?:please )?(?:don'?t|do not) let me forget (?:to )?(?P<about>.+)", FOLLOW_UPS, "Wants to be reminded to {about}.", family="reminder"),
        Rule(rf"(?:i'll|i will|i have to|i need to|i must) (?!be\b|chat\b|talk\b|tell\b|come back\b)(?P<about>.+? {_WHEN}|.+? {_ISO})", FOLLOW_UPS, "Has to {about}.", family="reminder"),
        Rule(rf"(?:let'?s|we'?ll|i'?ll|i want to|i will) (?:continue|go on|carry on|pick up)(?: with)? (?P<about>.+?)(?: (?:on )?{_ISO}| later| next time)?",
             TOPICS, "{about}.", family="topic"),
    ),
)  # fmt: skip
