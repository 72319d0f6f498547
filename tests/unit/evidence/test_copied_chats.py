# ruff: noqa: RUF001 - what people type is spelled in their own scripts
"""What others say in a chat that was copied is theirs; a list of facts is the user's."""

from __future__ import annotations

import pytest

from context_memory.domain.evidence import evidence_of
from context_memory.domain.turn import Message


def _said(text: str) -> str | None:
    evidence = evidence_of((Message("user", (text,)),), user_id="lena", display_name="Lena Muster")
    return evidence.words if evidence else None


@pytest.mark.parametrize(
    "chat",
    [
        "[10:02] Anna: I moved to Umbrella",
        "[10:02] Anna: I moved to Umbrella\n[10:03] Bob: I hate Java",
        "[10:02 AM] anna_w: moved",
        "[05.05.25, 10:02:11] Anna Weber: I moved",
        "05/05/2025, 10:02 - Anna: I moved\nand changed jobs\n05/05/2025, 10:03 - Ben: where to?",
        "[10:02] <anna> I moved",
        "Anna: I moved to Umbrella.\nBen: Congrats!",
        "Anna: moved to Umbrella\nBen: nice\nAnna: thanks",
        "**Anna:** I moved.\n**Ben:** Where to?",
        "10:02 Anna: I moved.\n10:03 Ben: Where to?",
        "Anna  10:02 AM\nI moved to Umbrella\nBob  10:03 AM\nI hate Java\nand Go",
        "Anna\u200b: I moved.\nB\u200ben: Where to?",
        "张三：我搬家了\n李四：恭喜",
        "田中：引っ越しました\n佐藤：いいね！",
        "Anna:\nI moved to Umbrella.\nBen:\nCongrats, you two!",
        "Anna: I moved to Umbrella\nBen: where?\nCleo: me neither",
    ],
)
def test_what_others_say_is_data(chat: str) -> None:
    assert _said(f"Thread of today\n{chat}\n\nreply for me please") == "Thread of today\n\nreply for me please"


def test_a_chat_in_paragraphs_is_one() -> None:
    assert _said("Anna: I moved.\n\nto Umbrella\n\nBen: I hate Java.\n\nMy dog is Rex.") == "My dog is Rex."


def test_what_the_user_says_in_a_chat_stays_the_users() -> None:
    chat = "Lena: I moved to Bern.\nAnna: I moved to Umbrella.\nLena Muster: Congrats!\nMe: And I am vegan."
    assert _said(chat) == "Lena: I moved to Bern.\n\nLena Muster: Congrats!\nMe: And I am vegan."


@pytest.mark.parametrize(
    "own",
    [
        "Name: Lena\nFrom: Bern\nJob: nurse at Roche",
        "Name: Lena\nJob: I am a nurse\nLikes: my dog",
        "Vorname: Lena\nBeruf: ich bin Pflegerin",
        "Python: daily\nRust: sometimes",
        "Strengths: patience\nWeaknesses: I talk too much",
        "Wohnung: 3 Zimmer in Bern\nMiete: 2100, ich will sparen",
        "Hardware: MacBook M2\nEditor: I use Vim",
        "Breakfast: oats\nLunch: salad, I hate tuna\nDinner: rice",
        "Stack: FastAPI, Postgres\nHosting: AWS, we use ECS\nHow would you scale it?",
        "Morning: I run.\nEvening: I read.",
        "Monday: I work from home\nTuesday: I'm in Bern",
        "Current Job: my team is large\nLast Job: I was alone",
        "Plan A: I stay in Bern.\nPlan B: I move to Basel.",
        "TODO: I call Eva.\nFYI: I moved.",
        "Anna: I never liked that name.",
        "to anna: I moved\nto ben: I moved",
        "I have a meeting at 10:30",
        "Standup 10:00\nLunch 12:00",
        "See https://example.org and HTTP://example.net, I like them.",
        "姓名：王峰\n职业：我是护士",
    ],
)
def test_labels_that_name_nobody_are_the_users(own: str) -> None:
    assert _said(own) == own
