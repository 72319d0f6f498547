# ruff: noqa: RUF001 - signs are spelled in their own scripts
"""Sentences in which somebody says that something has ended or is done.

A word that evidence and bullet share by chance ("rewrite this python function") takes no bullet away; a word said
together with an end does ("I quit smoking"). A sentence that asks says nothing, and a bare "not" ends nothing ("my
function does not work"): it counts only where most of the bullet is denied. Words that end as often something else
("sold", "left", "stopped") count of the speaker's own doing only ("we sold 300 scanners" ends no scanner).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from context_memory.domain.language.words import content_words, plain

_SENTENCE = re.compile(r"[^.!?;\n。！？；]+(?:[.!](?!\s|$)[^.!?;\n。！？；]+)*[?？]?")
_GAP = r"[^.!?]{0,40}"
_I = r"(?:i|we|i've|we've|have|had|just|already|recently|finally|since)"

# Per language; the text is folded by `plain`.
_ENDED = (
    rf"no longer|any ?more|no more|(?:i|we) used to|quit|{_I} (?:left|stopped|have stopped)|sold (?:my|our)",
    r"g[ai]v(?:e|en|ing) up|ended|cancell?ed|resigned|retired|moved (?:out|away)|dropped out|broke up|divorced",
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
_FINISHED = (
    r"done|finished|completed|erledigt|fertig|geschafft|abgeschlossen|fini|j'ai termine|c'est (?:fait|termine)",
    r"hecho|terminado|listo|fatto|finito|feito|terminei|klaar|gedaan|afgerond",
)
_FINISHED_ANYWHERE = "完成|做完|搞定|办好|辦好|終わ|済ん|済み|完了|끝났|끝냈|완료"
_HANDED_OVER = (
    r"sent|submitted|handed in|paid|settled|booked|went out|taken care|ab(?:geschickt|gegeben)|gesendet|verschickt",
    r"bezahlt|gebucht|envoye|paye|enviado|pagado|inviato|pagato|enviei|paguei|verstuurd|betaald",
)
_HANDED_OVER_ANYWHERE = "已经发|已經發|交了|提出し"
_DENIED = (r"not|never|no(?!,)|\w+n't|nicht|kein\w*|nie|ne|pas|jamais|nunca|non(?!,)|nao(?!,)|niet|geen|nooit",)
_DENIED_ANYWHERE = "不|没|沒|ない|ません"


def _sign(spelled: tuple[str, ...], anywhere: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)|{anywhere}")


_ENDED_SIGN = _sign(_ENDED, _ENDED_ANYWHERE)
_FINISHED_SIGN = _sign(_FINISHED, _FINISHED_ANYWHERE)
_HANDED_OVER_SIGN = _sign(_HANDED_OVER, _HANDED_OVER_ANYWHERE)
_DENIED_SIGN = _sign(_DENIED, _DENIED_ANYWHERE)
_A_SHORT_REPLY = 12


@dataclass(frozen=True, slots=True)
class Endings:
    """What was said to be over.

    Attributes:
        ended: content words of sentences in which something ended.
        finished: those of sentences in which something is done, as work may be.
        handed_over: those of sentences in which something was sent or paid, which is the end of a follow-up.
        denied: those of sentences with a negation.
        just_done: the whole evidence is a short word that something is done ("phoned him, done").
    """

    ended: frozenset[str]
    finished: frozenset[str]
    handed_over: frozenset[str]
    denied: frozenset[str]
    just_done: bool

    @classmethod
    def of(cls, text: str) -> Endings:
        """Read the evidence, sentence by sentence."""
        said = [sentence for sentence in _SENTENCE.findall(text) if not sentence.rstrip().endswith(("?", "？"))]
        folded = [(sentence, plain(sentence).replace("\u2019", "'")) for sentence in said]

        def words(sign: re.Pattern[str]) -> frozenset[str]:
            return frozenset[str]().union(*(content_words(sentence) for sentence, text in folded if sign.search(text)))

        return cls(
            ended=words(_ENDED_SIGN),
            finished=words(_FINISHED_SIGN),
            handed_over=words(_HANDED_OVER_SIGN),
            denied=words(_DENIED_SIGN),
            just_done=len(text.split()) <= _A_SHORT_REPLY and any(_FINISHED_SIGN.search(text) for _, text in folded),
        )
