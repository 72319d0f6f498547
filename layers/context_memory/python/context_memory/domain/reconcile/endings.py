# ruff: noqa: RUF001 - signs are spelled in their own scripts
"""Sentences in which somebody says that something has ended or is done.

A word that evidence and bullet share by chance ("rewrite this python function") takes no bullet away; a word said
together with an end does ("I quit smoking"). A sentence that asks says nothing, and a bare "not" ends nothing ("my
function does not work"): it counts only where most of the bullet is denied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from context_memory.domain.words import content_words, plain

_SENTENCE = re.compile(r"[^.!?;\n。！？；]+(?:[.!](?!\s|$)[^.!?;\n。！？；]+)*[?？]?")
_GAP = r"[^.!?]{0,40}"

# Per language; the text is folded by `plain`.
_ENDED = (
    r"no longer|any ?more|no more|used to|quit|left(?![ -](?:hand|side|foot|over|to))|stopp(?:ed|ing)",
    r"g[ai]v(?:e|en|ing) up|ended|cancell?ed|sold|resigned|retired|moved (?:out|away)|dropped out|broke up|divorced",
    rf"nicht mehr|kein\w*\b{_GAP}\bmehr|nie mehr|aufgehort|aufgegeben|gekundigt|beendet|verkauft|abgesagt|verlassen",
    r"weggezogen|ausgezogen|pensioniert|geschieden|getrennt",
    rf"n(?:e|')\b{_GAP}\bplus|arrete|quitte|demissionne|vendu|abandonne|annule",
    r"ya no|deje|dejado|renuncie|vendi|abandone|cancele",
    rf"non\b{_GAP}\bpiu|smesso|lasciato|venduto|annullato",
    rf"nao\b{_GAP}\bmais|parei|deixei|larguei|cancelei",
    rf"(?:niet|geen)\b{_GAP}\bmeer|gestopt|opgezegd|verkocht|afgezegd",
)
_ENDED_ANYWHERE = (
    "不再|离开|離開|辞职|辭職|离职|離職|戒了|戒掉|放弃|放棄|卖掉|卖了|賣掉|取消了|やめ|辞め|退職|売っ|그만|떠났"
)
_DONE = (
    r"done|finished|completed|sent|submitted|handed in|paid|settled|booked|went out|taken care",
    r"erledigt|fertig|geschafft|ab(?:geschickt|gegeben|geschlossen)|gesendet|verschickt|bezahlt|gebucht",
    r"fini|termine|c'est fait|envoye|paye|regle",
    r"hecho|terminado|enviado|pagado|listo|fatto|finito|inviato|pagato|feito|terminei|enviei|paguei",
    r"klaar|gedaan|afgerond|verstuurd|betaald",
)
_DONE_ANYWHERE = "完成|做完|搞定|办好|辦好|已经发|已經發|交了|終わ|済ん|済み|完了|提出し|끝났|끝냈|완료"
_DENIED = (r"not|never|no|\w+n't|nicht|kein\w*|nie|ne|n'|pas|jamais|nunca|non|mai|nao|niet|geen|nooit",)
_DENIED_ANYWHERE = "不|没|沒|ない|ません"


def _sign(spelled: tuple[str, ...], anywhere: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)|{anywhere}")


_ENDED_SIGN = _sign(_ENDED, _ENDED_ANYWHERE)
_DONE_SIGN = _sign(_DONE, _DONE_ANYWHERE)
_DENIED_SIGN = _sign(_DENIED, _DENIED_ANYWHERE)
_A_SHORT_REPLY = 12


@dataclass(frozen=True, slots=True)
class Endings:
    """What was said to be over.

    Attributes:
        ended: content words of sentences in which something ended.
        done: those of sentences in which something is done.
        denied: those of sentences with a negation.
        just_done: the whole evidence is a short word that something is done ("phoned him, done").
    """

    ended: frozenset[str]
    done: frozenset[str]
    denied: frozenset[str]
    just_done: bool

    @classmethod
    def of(cls, text: str) -> Endings:
        """Read the evidence, sentence by sentence."""
        said = [sentence for sentence in _SENTENCE.findall(text) if not sentence.rstrip().endswith(("?", "？"))]
        folded = [(sentence, plain(sentence).replace("\u2019", "'")) for sentence in said]

        def words(sign: re.Pattern[str]) -> frozenset[str]:
            return frozenset[str]().union(*(content_words(sentence) for sentence, text in folded if sign.search(text)))

        done = any(_DONE_SIGN.search(text) for _, text in folded)
        return cls(
            words(_ENDED_SIGN), words(_DONE_SIGN), words(_DENIED_SIGN), done and len(text.split()) <= _A_SHORT_REPLY
        )
