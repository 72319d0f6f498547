# ruff: noqa: RUF001 - headers are spelled in their own scripts
"""Where a pasted mail begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# The names that mail programs give to the sender. They are prepositions as well: "From: Basel".
_SENDER = "from|von|de|da|van|från|fra|od|от|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람"
_SUBJECT = "subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|тема|主题|主旨|件名|제목"
_SENT = "sent|gesendet|envoyé|envoye|enviado|inviato|verzonden|wysłano|отправлено"
# "From: Zurich, To: Lisbon, Date: 3 June" is a journey.
_RECEIVER = "to|an|à|a|para|aan|till|til|do|кому|宛先|받는 사람"
_DATE = "date|datum|fecha|data|дата|日期|时间|日時|날짜"
_FURTHER = "cc|bcc|reply-to|kopie|antwort an|копия|收件人|抄送"
_HEADER = re.compile(
    rf"[\s*_]*(?:(?P<sender>{_SENDER})|(?P<subject>{_SUBJECT})|(?P<sent>{_SENT})"
    rf"|(?P<receiver>{_RECEIVER})|(?P<date>{_DATE})|(?P<further>{_FURTHER}))[\s*_]*:(?P<value>.*)",
    re.IGNORECASE,
)
_TELLING = frozenset({"sender", "subject", "sent"})
_JOURNEY = frozenset({"sender", "receiver", "date"})

_ADDRESS = re.compile(r"\w@\w")
_HAS_DATE_OR_TIME = re.compile(r"\d{1,2}[:.]\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b(?:19|20)\d{2}\b")
_QUESTION_OR_COLON = ("?", "\u061f", ":")
_REACH_IN_LINES = 2
"""How near a second header has to stand."""

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
    A single header begins a mail if it holds an address or, where it tells when a mail was sent, a date; any other
    ("Subject: my new job") if a second one stands near it, or if it heads the paragraph behind a question.
    """
    headers = [_HEADER.match(line) for line in lines]
    last_text_at = max((at for at, line in enumerate(lines) if line.strip()), default=-1)
    words_above = ""
    for at, line in enumerate(lines):
        if _SEPARATOR.match(line) or _is_attribution(line, *lines[at + 1 : at + 2]):
            return at
        header = headers[at]
        if header is not None and _kind(header) in _TELLING:
            near = [found for found in headers[max(at - _REACH_IN_LINES, 0) : at + _REACH_IN_LINES + 1] if found]
            heads_a_paragraph = at > 0 and not lines[at - 1].strip() and at < last_text_at
            follows_a_question = heads_a_paragraph and words_above.endswith(_QUESTION_OR_COLON)
            block_end = _end_of_block(headers, at)
            ends_blank = block_end < last_text_at and not lines[block_end].strip()
            if follows_a_question or _tells_alone(header) or _is_block(near, ends_blank=ends_blank):
                return _first_header(headers, at)
        words_above = line.strip() or words_above
    return len(lines)


def _kind(header: re.Match[str]) -> str:
    """The group of its name."""
    return next(kind for kind in ("sender", "subject", "sent", "receiver", "date", "further") if header[kind])


def _tells_alone(header: re.Match[str]) -> bool:
    has_date = _kind(header) == "sent" and _HAS_DATE_OR_TIME.search(header["value"])
    return bool(has_date or _ADDRESS.search(header["value"]))


def _is_block(near: Sequence[re.Match[str]], *, ends_blank: bool) -> bool:
    """Whether neighbouring headers, at least one of them telling, are those of a mail.

    A place, a place and a date are a journey, unless one is an address or a blank line ends them all as in mails.
    """
    kinds = frozenset(map(_kind, near))
    if kinds <= _JOURNEY:
        is_dated_mail = "date" in kinds and ends_blank
        return len(kinds) > 1 and (is_dated_mail or any(_ADDRESS.search(header["value"]) for header in near))
    return len(kinds) > 1


def _is_attribution(line: str, following: str = "") -> bool:
    if line.rstrip().endswith(":"):
        return bool(_ATTRIBUTION_WITH_DATE.fullmatch(line) or _ATTRIBUTION_TO_SENDER.fullmatch(line))
    # Mail programs break the line behind the date and the name; people who write "On …" seldom give a date in digits.
    wrapped = following.rstrip().endswith(":") and _HAS_DIGIT.search(line)
    return bool(wrapped and _ATTRIBUTION_WITH_DATE.fullmatch(f"{line} {following}"))


def _first_header(headers: Sequence[re.Match[str] | None], at: int) -> int:
    while at and headers[at - 1]:
        at -= 1
    return at


def _end_of_block(headers: Sequence[re.Match[str] | None], at: int) -> int:
    while at < len(headers) and headers[at]:
        at += 1
    return at
