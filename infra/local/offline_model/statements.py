"""Cuts what the user said into plain statements about the user, and leaves out what is none.

Left out: code and quotations, questions, hypotheticals, role play and fiction, wishes for one answer, sentences about
somebody else. A statement is one clause with its subject, without the words that only lead up to it.
"""

# ruff: noqa: E501, RUF001 (a rule is one line: its words compare best unbroken; Chinese and typographic punctuation)

from __future__ import annotations

import re

_CODE = re.compile(r"(```|~~~).*?(?:\1|\Z)|^[ \t]*>[^\n]*$|^(?: {4}|\t)[^\n]*$", re.DOTALL | re.MULTILINE)
_SENTENCE_END = re.compile(
    # A dot after an abbreviation, an initial ("z. B.") or an ordinal ("3. Juli") ends nothing.
    r"(?<=[.!?])(?<!\bDr\.)(?<!\bSt\.)(?<!\bNr\.)(?<!\b[A-Za-z]\.)(?<!\b\d\.)(?<!\b\d\d\.)\s+|(?<=[。！？；])|\n+"
)

_NOTHING_KEPT = re.compile(
    r"\b(?:don'?t|do not|please never|no need to) (?:remember|save|store|memori[sz]e)\b"
    r"|\b(?:merk|merke|speicher|speichere) (?:dir )?(?:das|dies|es)?\s*(?:bitte )?nicht\b|不要记住|别记住",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"\b(?:imagine|pretend|suppose|role-?\s?play|let'?s say|let'?s play|in (?:my|the|this) (?:story|novel|game)"
    r"|write (?:me )?a (?:story|poem|scene|letter|bio)|angenommen|stell dir vor|nehmen wir an|rollenspiel"
    r"|tu so,? als|schreib\w* (?:mir )?eine? (?:geschichte|gedicht|szene|brief))\b|假如|假设|想象一下|角色扮演",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\bif (?:i|we)\b|\bwhat if\b|\bi (?:would|might|could) (?:be|live|work|move|use)\b|\bi wish\b"
    r"|\bwenn ich\b.*\b(?:wäre|hätte|würde|könnte)\b|\bwäre ich\b|\bhätte ich\b|如果我",
    re.IGNORECASE,
)
_ONE_ANSWER = re.compile(
    r"\b(?:for|in) this (?:answer|reply|one|question|message|chat)\b|\bjust (?:this once|for now|today)\b"
    r"|\b(?:only )?this (?:one )?time\b|\bfor once\b|\bnur (?:für|in) diese\w* (?:antwort|frage|chat|mal)\b"
    r"|\bdieses eine mal\b|\b(?:nur )?diesmal\b|\bausnahmsweise\b|这次|这一次",
    re.IGNORECASE,
)
_KIN = (
    r"colleagues?|co-?workers?|friends?|boss|managers?|wife|husband|partner|brothers?|sisters?|mother|father|mom|mum|dad"
    r"|sons?|daughters?|neighbou?rs?|clients?|customers?|landlord|team ?mates?|cousins?|uncle|aunt"
)
_KIN_DE = (
    r"kolleg(?:e|en|in|innen)|freund(?:e|in|innen)?|chef(?:in)?|frau|mann|partner(?:in)?|bruder|schwester|mutter|vater"
    r"|sohn|tochter|nachbar(?:n|in)?|kund(?:e|en|in|innen)|vermieter(?:in)?|vorgesetzte[rn]?"
)
_SOMEBODY_ELSE = re.compile(
    rf"^(?:(?:my|our|a|the|an old) (?:\w+ )?(?:{_KIN})|(?:mein|unser|ein)\w* (?:\w+ )?(?:{_KIN_DE}))\b"
    rf"|^(?:his|her|their|seine?|ihre?) (?:\w+ )?(?:name|number|address|mail|nummer|adresse)\b"
    r"|^我的?(?:同事|朋友|老板|妈妈|爸爸|妻子|丈夫|老公|老婆|哥哥|姐姐|弟弟|妹妹|客户)"
    rf"|\b(?:{_KIN}) (?!(?:and|in|at|i|we)\b)[A-Z]\w+ (?:says|said|told|thinks|is|has|lives|works)\b",
    re.IGNORECASE,
)
_GREETED_NAME = re.compile(
    r"^(?:hi|hello|hey|hallo|hoi|guten tag|good morning|grüezi)\b[\w ]{0,12}[,!.]? ?"
    r"(?P<subject>i'?m|i am|ich bin|hier ist) (?P<name>(?-i:[A-ZÄÖÜ][\w-]+(?: [A-ZÄÖÜ][\w-]+)?))(?=\s*(?:[,.!]|$|and i\b|und ))",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:hi|hello|hey|hallo|hoi|guten tag|grüezi|good (?:morning|evening)|guten (?:morgen|abend))(?: there| zusammen)?"
    r"|by the way|btw|also|well|ok(?:ay)?|actually|oh|and|but|so|yes|yeah|sorry|thanks?(?: you)?|great|fyi|correction"
    r"|(?:a )?(?:small |quick )?update|for the record|just so you know|one more thing|good news|please (?:remember|note)"
    r"|remember|note|for context|hmm+|um+|uh|recently|lately|these days|the fact is|i think|speaking of which|übrigens|ach(?: ja)?|und|aber|also gut|ja|danke|kurzes update|zur info|korrektur"
    r"|merk dir(?: bitte)?|bitte merk(?:e)? dir|noch etwas|gut|so|super|对了|你好|您好)"
    r"(?:\s*[,:;!.–—，！：-]+\s*|\s+)(?:that |dass )?",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please )?|(?:kannst|könntest|würdest) du (?:mich )?(?:bitte )?)",
    re.IGNORECASE,
)
_REQUESTED = re.compile(r"^(?:remind|call|forget|always|erinner|vergess|.*\berinnern\b)", re.IGNORECASE)
_VERB_EN = r"live|work|speak|use|prefer|love|like|enjoy|moved"
_VERB_DE = r"lebe|wohne|arbeite|spreche|nutze|benutze|mag|liebe|bevorzuge"
_GREETED_NAME_ZH = re.compile(
    r"^(?:你好|您好|大家好)[，,！!]?我是(?=[\u4e00-\u9fff]{2,3}(?:[，。！,!]|$))(?!.{1,2}[员师生人家长手工])(?!\w*[的新来第])"
)
_LEAD_ZH = re.compile(
    r"^(?:其实|最近|嗯+|恩|呃|是[的啊]|对[啊了]?|当然[啦啊]?|话说回来|说起来|另外|除此之外|哈哈|而且|但是?|不过|还有|好[的啊]?)[，,]?(?=我|最近|其实|你可以叫我)"
)
_ASKED_BEHIND = re.compile(
    # "I like X, do you?": what stands before the question is said, not asked.
    r"\s*(?:,| -) ?(?:and |so |but )?(?:do|does|did|have|has|can|could|would|will|is|are|should|what|which|how|where|when|why|who|any)\b[^,]*\?$"
    r"|[，,](?:那|不知道)?(?:你|有没有|有什么|怎么|该怎么|什么|能不能|可以)[^，]*[？?]$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\s*[,;，；]\s*(?:and |but |und |aber )?(?=(?:i|i'm|my|ich|mein|meine|call me|please|bitte|nenn mich|我)\b|我)"
    r"|\s+(?:and|but|und|aber)\s+(?=(?:i|i'm|my|ich|mein|meine|call me|please|nenn mich)\b)"
    rf"|\s*(?:,|\band\b|\bund\b)\s+(?=(?:{_VERB_EN})\b (?!to be\b))|\s*(?:,|\bund\b)\s+(?=(?:{_VERB_DE})\b)",
    re.IGNORECASE,
)
_BARE_VERB = {
    "I": re.compile(rf"^(?:{_VERB_EN})\b", re.IGNORECASE),
    "Ich": re.compile(rf"^(?:{_VERB_DE})\b", re.IGNORECASE),
}


def statements(evidence: str) -> tuple[str, ...]:
    """The clauses of `evidence` that may say something lasting about the user, in order."""
    if _NOTHING_KEPT.search(evidence):
        return ()
    found: list[str] = []
    for sentence in sentences(_CODE.sub("\n", evidence)):
        if _FICTION.search(sentence):
            break  # whoever speaks from here on is a character
        said = _plain(sentence)
        if said and not (_HYPOTHETICAL.search(said) or _ONE_ANSWER.search(said) or _SOMEBODY_ELSE.search(said)):
            found += [clause for clause in _clauses(said) if not _SOMEBODY_ELSE.search(clause)]
    return tuple(found)


def sentences(text: str) -> list[str]:
    """Sentences with their closing mark; abbreviations and ordinals do not end one."""
    pieces = (piece.strip(" \t-*•") for piece in _SENTENCE_END.split(text))
    return [piece for piece in pieces if piece]


def _plain(sentence: str) -> str:
    said = _GREETED_NAME.sub(_introduced, sentence.replace("’", "'"))
    said = _led_in(_GREETED_NAME_ZH.sub("我叫", said))
    asked = _REQUEST.sub("", said)
    if asked != said and _REQUESTED.match(asked):
        return asked.rstrip("?？ ")
    if said.endswith(("?", "？")):
        stated = _ASKED_BEHIND.sub("", said)
        return stated if stated != said else ""
    return said


def _led_in(said: str) -> str:
    """Without the words that only lead up to what is said."""
    while (rest := _LEAD_ZH.sub("", _LEAD.sub("", said, count=1), count=1)) != said:
        said = rest
    return said


def _introduced(greeting: re.Match[str]) -> str:
    english = greeting["subject"].lower().startswith(("i'", "im", "i am"))
    return f"{'My name is' if english else 'Ich heisse'} {greeting['name']}"


def _clauses(said: str) -> list[str]:
    clauses: list[str] = []
    subject = ""
    for piece in _CLAUSE.split(said):
        clause = piece.strip(" ,;.!。！，；")
        if subject and _BARE_VERB[subject].match(clause):
            clause = f"{subject} {clause}"  # "and live in Bern": the subject was said before
        subject = next((who for who in _BARE_VERB if clause.lower().startswith(f"{who.lower()} ")), subject)
        clause = _led_in(clause)
        if clause:
            clauses.append(clause)
    return clauses
