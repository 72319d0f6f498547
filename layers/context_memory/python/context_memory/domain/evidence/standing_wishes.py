"""Wishes for all times, which hand nothing over: "please always check my texts", "from now on translate my mails".

"Every" and "never" alone tell nothing: "translate every sentence", "but never change names" are about one text.
"""

from __future__ import annotations

import re
from functools import cache

from context_memory.domain.evidence.announcement_phrases import LANGUAGES

_FOR_ALL_TIMES = (
    r"\b(?:from now on|going forward|in (?:the )?future|whenever|(?:every|each|any) time|"
    r"ab jetzt|ab sofort|künftig|zukünftig|in zukunft|jedes mal|jedesmal|"
    r"désormais|dorénavant|à l'avenir|à partir de maintenant|(?:à )?chaque fois|"
    r"a partir de ahora|de ahora en adelante|en el futuro|cada vez|"
    r"d'ora in (?:poi|avanti)|in futuro|ogni volta|"
    r"de agora em diante|a partir de agora|no futuro|(?:de )?cada vez|sempre que|"
    r"voortaan|vanaf nu|in de toekomst|(?:elke|iedere) keer)\b"
    r"|以后|以後|总是|總是|每次|每天|今后|今後|これから|いつも|毎回|毎日"
)
_ALWAYS = r"(?:always|immer|stets|toujours|siempre|sempre|altijd)"
_NEVER = r"(?:never|nie|niemals|ne .* jamais|nunca|jamás|mai|nooit)"
# Words for one text that is at hand. "This way" and "like this" tell how all are to be done.
_ONE_TEXT = (
    r"(?<!like )\b(?:this|these)\b(?! (?:way|style|format|tone|manner))|\b(?:below|the following)\b"
    r"|\bthe (?:\w+ )?(?:text|article|e-?mail|message|letter|document|paragraph|post|report|essay|story)\b(?! i\b)"
    r"|\b(?:dies\w{0,2}|folgende\w?|das folgende|unten\w*|untenstehend\w*)\b"
    r"|\b(?:ce|cet|cette|ces) (?:texte|article|e-?mail|mail|courriel|document|paragraphe|lettre|message|passage)s?\b"
    r"|\b(?:ceci|ci-dessous|ce qui suit)\b"
    r"|\b(?:este|esto|estos) (?:texto|correo|artículo|documento|párrafo|mensaje)s?\b|\b(?:esto|lo siguiente|abajo)\b"
    r"|\bquest[oaie]\b|\bquest'|\b(?:qui sotto|seguente)\b"
    r"|\best[ea] (?:texto|e-?mail|artigo|documento|parágrafo|mensagem)\b|\b(?:isto|abaixo)\b"
    r"|\b(?:deze|dit|hieronder|het volgende)\b"
    r"|以下|下面|下列|下文|[这這](?:段|篇|封|份|句|个|個)|下記|上記|これ(?!から|まで)|この(?:文|メール|テキスト|記事)"
)


def is_standing_wish(sentence: str) -> bool:
    """Whether `sentence`, a request as `claims.as_spoken` gives it, is for all times and not for one text."""
    return bool(_standing().search(sentence)) and not _one_text().search(sentence)


@cache  # compiled by the first request that is read: starting a function must not wait for it
def _standing() -> re.Pattern[str]:
    """For all times by its words, or by an "always" before its verb, right behind it, or at its very end."""
    please = "|".join(asking.please for asking in LANGUAGES)
    begins = rf"^(?:(?:{please}),? )?"
    verb = rf"(?:(?!and\b|but\b)[\w-]+ )?(?:(?:{please}),? )?"
    return re.compile(rf"{_FOR_ALL_TIMES}|{begins}{verb}{_ALWAYS}\b|{begins}{_NEVER}\b|\b{_ALWAYS}[.!]*$")


@cache
def _one_text() -> re.Pattern[str]:
    return re.compile(_ONE_TEXT)
