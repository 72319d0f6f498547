# ruff: noqa: RUF001 - headers are spelled in their own scripts
"""Where a pasted mail begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# The names that mail programs give to sender, subject and time of sending: one of them is enough.
_TELLING = (
    "from|subject|sent|von|betreff|gesendet|de|objet|envoyé|envoye|asunto|enviado|da|oggetto|inviato|assunto|van|"
    "onderwerp|verzonden|från|ämne|fra|emne|od|temat|wysłano|от|тема|отправлено|发件人|主题|寄件者|寄件人|主旨|"
    "差出人|件名|送信者|보낸 사람|보낸사람|제목"
)
# Names that also begin ordinary lines ("To: do"): part of a mail only right above a telling one.
_ACCOMPANYING = (
    "to|cc|bcc|date|reply-to|an|kopie|datum|antwort an|à|a|date|para|fecha|data|aan|till|til|do|кому|дата|копия|"
    "收件人|抄送|日期|时间|宛先|日時|받는 사람|날짜"
)
_TELLING_HEADER = re.compile(rf"[\s*_]*(?:{_TELLING})[\s*_]*:", re.IGNORECASE)
_ACCOMPANYING_HEADER = re.compile(rf"[\s*_]*(?:{_ACCOMPANYING})[\s*_]*:", re.IGNORECASE)

_SEPARATOR = re.compile(
    r"""\s*(?:
        [-_=*]{2,}\s*(?:original\ message|original\ appointment|forwarded\ message|
            ursprüngliche\ nachricht|original-?nachricht|weitergeleitete\ nachricht|
            message\ d'origine|message\ original|message\ transféré|
            mensaje\ original|mensaje\ reenviado|mensagem\ original|mensagem\ encaminhada|
            messaggio\ originale|messaggio\ inoltrato|oorspronkelijk\ bericht|doorgestuurd\ bericht|
            исходное\ сообщение|пересылаемое\ сообщение|原始邮件|原始郵件|转发邮件|轉寄郵件|
            元のメッセージ|転送メッセージ)
        |begin\ forwarded\ message:|anfang\ der\ weitergeleiteten\ nachricht:|début\ du\ message\ transféré\s?:
    )""",
    re.IGNORECASE | re.VERBOSE,
)

_ATTRIBUTION_WITH_DATE = re.compile(
    r"""\s*(?:
        on\b.{3,250}?(?<!\bi\s)\bwrote
        |am\b.{3,250}?\bschrieb(?!\ ich\b).{0,120}
        |(?:le|il|el|em|a)\b.{3,250}?\b(?:a\ écrit|ha\ scritto|escribió|escreveu)
        |(?:op|den)\b.{3,250}?\b(?:schreef|skrev).{0,120}
        |w\ dniu\b.{3,250}?\b(?:pisze|napisał(?:\(?a\)?)?)
    )\s?:\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_ATTRIBUTION_TO_SENDER = re.compile(
    r"""\s*(?:
        .{3,250}?\b(?:пишет|написал(?:\(?а\)?)?)
        |.{3,120}(?:写道|寫道|書きました|のメール)
        |.{0,200}<[^<>\s]{1,200}@[^<>\s]{1,200}>.{0,40}
    )\s?:\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_HAS_DIGIT = re.compile(r"\d")


def begins_at(lines: Sequence[str]) -> int:
    """Index of the line at which a pasted mail begins, `len(lines)` when there is none.

    `lines` are as an eye takes them (`invisible.as_seen`). An attribution ("On … wrote:") may be wrapped over two.
    """
    for at, line in enumerate(lines):
        if _SEPARATOR.match(line) or _is_attribution(line, *lines[at + 1 : at + 2]):
            return at
        if _TELLING_HEADER.match(line):
            return _first_header(lines, at)
    return len(lines)


def _is_attribution(line: str, following: str = "") -> bool:
    if line.rstrip().endswith(":"):
        return bool(_ATTRIBUTION_WITH_DATE.fullmatch(line) or _ATTRIBUTION_TO_SENDER.fullmatch(line))
    # Mail programs break the line behind the date and the name; people who write "On …" seldom give a date in digits.
    wrapped = following.rstrip().endswith(":") and _HAS_DIGIT.search(line)
    return bool(wrapped and _ATTRIBUTION_WITH_DATE.fullmatch(f"{line} {following}"))


def _first_header(lines: Sequence[str], at: int) -> int:
    while at and _ACCOMPANYING_HEADER.match(lines[at - 1]):
        at -= 1
    return at
