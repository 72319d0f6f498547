"""The question of an earlier answer that a short reply takes over: "Yes, please." means nothing by itself."""

from __future__ import annotations

import re

from context_memory.domain.evidence.pasted import own_text
from context_memory.domain.evidence.replying import means_every_question, takes_up

LONGEST_REPLY_IN_WORDS = 12

# Scripts that put no blanks between words: Thai, Lao, Myanmar, Khmer, kana, Han.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019\-][^\W_]+)*")
_CHARACTERS_PER_WORD = 2

_SENTENCE = re.compile(
    r"""[^\n]*?                                   # sentences never cross a line
        (?:[.!?\u2026]+["'\u2019\u201d\u00bb)\]*_]*(?=\s|$)   # a mark inside a word (file names, addresses) ends none
        |[\u3002\uff01\uff1f\u061f]+["'\u2019\u201d\u300d\u300f\u00bb)*_]*
        |(?=\n|\Z))""",
    re.VERBOSE,
)
_ENDS_AS_QUESTION = re.compile(r"""[?\uff1f\u061f][.!?\uff1f\u061f\uff01"'\u2019\u201d\u300d\u300f\u00bb)\]*_]*$""")


def adopted_question(reply: str, earlier_answer: str | None) -> str:
    """The last question of the earlier answer if `reply` is short enough to be an answer and takes it up, else "".

    All its questions, joined by blanks, if the reply means several ("both, please"). Quoted lines and code in the
    earlier answer put no question.
    """
    if earlier_answer is None or count_words(reply) > LONGEST_REPLY_IN_WORDS:
        return ""
    sentences = (found[0].strip() for found in _SENTENCE.finditer(own_text(earlier_answer)))
    questions = [sentence for sentence in sentences if _ENDS_AS_QUESTION.search(sentence)]
    meant = " ".join(questions if means_every_question(reply) else questions[-1:])
    return meant if takes_up(reply, meant) else ""


def count_words(text: str) -> float:
    """Number of words; two characters count as one in scripts without blanks."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + unspaced / _CHARACTERS_PER_WORD
