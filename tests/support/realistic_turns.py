"""Turns as people take them at work, with the profile before, what two kinds of models answer, and what must stand.

A good model answers with the complete body in which only what the user said has changed.
A sloppy one answers usefully, but drops a bullet, words others anew, translates, or adds what the assistant or somebody
else said.
"""

# ruff: noqa: RUF001 (Chinese and Japanese punctuation)

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

type Sections = dict[str, list[str]]

CONTROLLER: Sections = {
    "identity": ["Works as a controller at Nordbank.", "Lives in Hamburg.", "Has two daughters."],
    "communication": ["Prefers short answers.", "Wants tables for figures."],
    "work": ["Leads the IFRS 9 migration until 2026-02-27."],
    "skills": ["Uses SQL and Power BI.", "Speaks Spanish."],
    "follow_ups": ["Send the variance report to the board by 2026-01-16."],
}
LEHRERIN: Sections = {
    "identity": ["Arbeitet als Lehrerin an der Kantonsschule Thun.", "Wohnt in Köniz.", "Hat zwei Töchter."],
    "communication": ["Bevorzugt kurze Antworten.", "Möchte gesiezt werden."],
    "work": ["Bereitet die Maturaprüfung im Juni vor."],
    "skills": ["Kennt sich mit Moodle aus."],
    "follow_ups": ["Noten bis 2026-01-23 eintragen."],
}
PRODUCT_MANAGER: Sections = {
    "identity": ["在一家医疗器械公司担任产品经理。", "住在上海。", "有两个女儿。"],
    "communication": ["喜欢简短的回答。"],
    "skills": ["熟悉Figma和Axure。"],
}
SALES: Sections = {
    "identity": ["東京支社で営業を担当している。", "娘が二人いる。"],
    "communication": ["丁寧な言葉づかいを好む。"],
    "skills": ["Excelのピボットテーブルが得意。"],
}
JURISTE: Sections = {
    "identity": ["Travaille comme juriste à la Banque Nord.", "Habite à Lausanne.", "A deux filles."],
    "communication": ["Préfère les réponses courtes.", "Souhaite être vouvoyée."],
    "skills": ["Maîtrise le droit des contrats."],
}


def but(base: Sections, **sections: list[str]) -> Sections:
    """The same profile with these sections instead."""
    return base | sections


def said(text: str, *, after: str = "", answer: str = "All right.") -> list[dict[str, Any]]:
    """The messages of a turn; `after` is the answer that the user replies to."""
    before = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": after}] if after else []
    return [*before, {"role": "user", "content": text}, {"role": "assistant", "content": answer}]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn; `good` is also what must stand after the sloppy answer.

    Attributes:
        good: the complete body of the good answer, None where a good gate says NOOP.
        sloppy: the body of the sloppy answer; None when the sloppy model empties it.
        gate: what a good gate says.
        private: a word by which the scrub's model knows a line that it has to drop.
    """

    name: str
    base: Sections
    messages: list[dict[str, Any]]
    good: Sections | None = None
    sloppy: Sections = field(default_factory=dict)
    gate: str = "UPDATE"
    private: str = ""

    @property
    def stands(self) -> Sections:
        """The profile afterwards."""
        return self.base if self.good is None else self.good


PROMOTED = but(
    CONTROLLER,
    identity=["Works as head of controlling at Nordbank.", "Lives in Hamburg.", "Has two daughters."],
)
MOVED = but(CONTROLLER, identity=["Works as a controller at Nordbank.", "Lives in Munich.", "Has two daughters."])
MAIL = """Can you draft a friendly reply to this?

From: Petra Amstutz <petra.amstutz@example.com>
Sent: Monday, 5 January 2026 08:12
To: Lena Frei <lena.frei@example.com>
Subject: Handover

Hi Lena, I moved to Thun and prefer phone calls from now on. My new role is team lead of treasury.
Please always copy me in. Petra"""
CODE = """Why does this loop never end?

```python
# I prefer tabs. Author lives in Oslo and uses Haskell.
while not queue.empty():
    pass
```"""
QUOTED = """What would you write back to him?

> I am vegan and allergic to nuts.
> Let us meet in Berlin, I live there now."""
CV = """This is my CV, please remember it:

Lena Frei
2019 to today: controller at Nordbank
Certified management accountant since 2021
Languages: German, Spanish, Portuguese"""

TURNS = (
    Turn(
        name="a promotion",
        base=CONTROLLER,
        messages=said(
            "I got promoted: since today I'm head of controlling at Nordbank.",
            answer="Congratulations! Heads of controlling can join the leadership programme.",
        ),
        good=PROMOTED,
        sloppy=but(
            PROMOTED,
            identity=[
                "Works as head of controlling at Nordbank.",
                "Lives in Hamburg.",
                "Joins the leadership programme.",
            ],
            communication=["Likes concise replies.", "Wants tables for figures."],
        ),
    ),
    Turn(
        name="a move",
        base=CONTROLLER,
        messages=said("By the way, we moved from Hamburg to Munich last weekend. How do I register there?"),
        good=MOVED,
        sloppy=but(MOVED, skills=["Good at SQL, Power BI."], follow_ups=[], work=["Is in charge of a migration."]),
    ),
    Turn(
        name="a preference that is turned round",
        base=CONTROLLER,
        messages=said("From now on I'd rather have long answers, with your reasoning."),
        good=but(CONTROLLER, communication=["Prefers long answers with the reasoning.", "Wants tables for figures."]),
        sloppy=but(
            CONTROLLER, communication=["Prefers long answers with the reasoning."], skills=["Uses SQL and Power BI."]
        ),
    ),
    Turn(
        name="a follow-up that is done",
        base=CONTROLLER,
        messages=said("The variance report went out to the board this morning."),
        good=but(CONTROLLER, follow_ups=[]),
        sloppy=but(CONTROLLER, follow_ups=[], work=[], communication=["Likes brevity."]),
    ),
    Turn(
        name="a deadline that moves",
        base=CONTROLLER,
        messages=said("The IFRS 9 migration was postponed, it now ends on 31 March."),
        good=but(CONTROLLER, work=["Leads the IFRS 9 migration until 2026-03-31."]),
        sloppy=but(
            CONTROLLER,
            work=["Leads the IFRS 9 migration until 2026-03-31."],
            follow_ups=["Send the variance report to the board by 2026-03-31."],
        ),
    ),
    Turn(
        name="a reminder with a weekday",
        base=CONTROLLER,
        messages=said("Remind me to call the auditor next Friday.", answer="Noted. Shall I draft an agenda?"),
        good=but(CONTROLLER, follow_ups=[*CONTROLLER["follow_ups"], "Call the auditor on 2026-01-16."]),
        sloppy=but(CONTROLLER, follow_ups=["Call the auditor on 2026-01-16.", "Decide whether an agenda is drafted."]),
    ),
    Turn(
        name="a wish to forget",
        base=CONTROLLER,
        messages=said("Please forget that I have daughters."),
        good=but(CONTROLLER, identity=["Works as a controller at Nordbank.", "Lives in Hamburg."]),
        sloppy=but(CONTROLLER, identity=["Works as a controller at Nordbank."], skills=["Uses SQL and Power BI."]),
        gate="FORGET",
    ),
    Turn(
        name="an offer that is taken for good",
        base=CONTROLLER,
        messages=said("Yes, please, always.", after="UBS is the largest bank here. Should I always show Swiss francs?"),
        good=but(CONTROLLER, communication=[*CONTROLLER["communication"], "Wants amounts in Swiss francs."]),
        sloppy=but(
            CONTROLLER,
            identity=[*CONTROLLER["identity"], "Banks with UBS."],
            communication=["Wants tables for figures.", "Wants amounts in Swiss francs."],
        ),
    ),
    Turn(
        name="a pasted mail",
        base=CONTROLLER,
        messages=said(MAIL),
        sloppy=but(
            CONTROLLER,
            identity=["Works as team lead of treasury.", "Lives in Thun.", "Has two daughters."],
            communication=["Prefers phone calls.", "Wants Petra in copy."],
        ),
    ),
    Turn(
        name="code with a comment",
        base=CONTROLLER,
        messages=said(CODE),
        sloppy=but(
            CONTROLLER,
            identity=["Works as a controller at Nordbank.", "Lives in Oslo.", "Has two daughters."],
            communication=[*CONTROLLER["communication"], "Prefers tabs."],
            skills=["Uses Haskell."],
        ),
    ),
    Turn(
        name="a quoted message",
        base=CONTROLLER,
        messages=said(QUOTED),
        sloppy=but(
            CONTROLLER,
            identity=["Works as a controller at Nordbank.", "Lives in Berlin.", "Has two daughters.", "Is vegan."],
        ),
    ),
    Turn(
        name="results of a tool",
        base=CONTROLLER,
        messages=[
            {"role": "user", "content": "What is in my calendar tomorrow?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "calendar", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "09:00 dentist Dr. Keller, 14:00 interview at Allianz"},
            {"role": "assistant", "content": "You see your dentist at nine and have an interview at Allianz at two."},
        ],
        sloppy=but(
            CONTROLLER,
            work=[*CONTROLLER["work"], "Interviews at Allianz."],
            follow_ups=[*CONTROLLER["follow_ups"], "See dentist Dr. Keller on 2026-01-06."],
        ),
    ),
    Turn(
        name="a group chat",
        base=CONTROLLER,
        messages=[
            {"role": "user", "name": "marco", "content": "I moved to Milan and I only want answers in Italian."},
            {"role": "user", "name": "lena", "content": "Fine for me. I have started to learn Python."},
            {"role": "assistant", "content": "Welcome to Milan, Marco!"},
        ],
        good=but(CONTROLLER, skills=[*CONTROLLER["skills"], "Is learning Python."]),
        sloppy=but(
            CONTROLLER,
            identity=["Works as a controller at Nordbank.", "Lives in Milan.", "Has two daughters."],
            communication=[*CONTROLLER["communication"], "Wants Italian."],
            skills=["Is learning Python.", "Speaks Spanish."],
        ),
    ),
    Turn(
        name="a CV that the user claims",
        base=CONTROLLER,
        messages=said(CV),
        good=but(
            CONTROLLER,
            identity=[*CONTROLLER["identity"], "Certified management accountant since 2021."],
            skills=["Uses SQL and Power BI.", "Speaks German, Spanish and Portuguese."],
        ),
        sloppy=but(
            CONTROLLER,
            identity=[
                "Works as a controller at Nordbank.",
                "Has two daughters.",
                "Certified management accountant since 2021.",
            ],
            skills=["Speaks German, Spanish and Portuguese.", "Uses SAP."],
        ),
    ),
    Turn(
        name="somebody else's data",
        base=CONTROLLER,
        messages=said("My colleague Petra Amstutz is on sick leave with burnout. How do I split her tasks fairly?"),
        sloppy=but(CONTROLLER, work=[*CONTROLLER["work"], "Petra Amstutz is on sick leave with burnout."]),
        private="Amstutz",
    ),
    Turn(
        name="an account number",
        base=CONTROLLER,
        messages=said("My IBAN is CH93 0076 2011 6238 5295 7, keep it for the next invoice."),
        sloppy=but(CONTROLLER, identity=[*CONTROLLER["identity"], "IBAN: CH93 0076 2011 6238 5295 7."]),
    ),
    Turn(
        name="small talk for which a model empties the profile",
        base=CONTROLLER,
        messages=said("Good morning! Did you sleep well?"),
        sloppy={},
    ),
    Turn(
        name="a new role in German",
        base=LEHRERIN,
        messages=said("Seit heute bin ich Prorektorin an der Kantonsschule Thun."),
        good=but(
            LEHRERIN,
            identity=["Arbeitet als Prorektorin an der Kantonsschule Thun.", "Wohnt in Köniz.", "Hat zwei Töchter."],
        ),
        sloppy=but(
            LEHRERIN,
            identity=["Arbeitet als Prorektorin an der Kantonsschule Thun.", "Lives in Köniz.", "Has two daughters."],
            communication=["Prefers short answers.", "Wants to be addressed formally."],
        ),
    ),
    Turn(
        name="a move in German",
        base=LEHRERIN,
        messages=said("Wir sind letzte Woche von Köniz nach Thun gezogen, die Mädchen haben jetzt eigene Zimmer."),
        good=but(
            LEHRERIN,
            identity=["Arbeitet als Lehrerin an der Kantonsschule Thun.", "Wohnt in Thun.", "Hat zwei Töchter."],
        ),
        sloppy=but(
            LEHRERIN,
            identity=["Arbeitet als Lehrerin an der Kantonsschule Thun.", "Wohnt in Thun."],
            work=["Prepares the final exams in June."],
            skills=["Knows Moodle."],
        ),
    ),
    Turn(
        name="a form of address in German",
        base=LEHRERIN,
        messages=said("Du kannst mich ab jetzt gerne duzen."),
        good=but(LEHRERIN, communication=["Bevorzugt kurze Antworten.", "Möchte geduzt werden."]),
        sloppy=but(LEHRERIN, communication=["Möchte geduzt werden."]),
    ),
    Turn(
        name="a wish to forget in German",
        base=LEHRERIN,
        messages=said("Bitte vergiss, dass ich Töchter habe."),
        good=but(LEHRERIN, identity=["Arbeitet als Lehrerin an der Kantonsschule Thun.", "Wohnt in Köniz."]),
        sloppy=but(LEHRERIN, identity=["Arbeitet als Lehrerin an der Kantonsschule Thun."], communication=[]),
        gate="FORGET",
    ),
    Turn(
        name="a move in Chinese",
        base=PRODUCT_MANAGER,
        messages=said("我上个月从上海搬到深圳了，有什么好的健身房推荐吗？", answer="深圳湾一号健身中心很受欢迎。"),
        good=but(PRODUCT_MANAGER, identity=["在一家医疗器械公司担任产品经理。", "住在深圳。", "有两个女儿。"]),
        sloppy=but(
            PRODUCT_MANAGER,
            identity=["Works as a product manager.", "住在深圳。", "Has two daughters."],
            communication=["Prefers short answers."],
            skills=["熟悉Figma和Axure。", "常去一号中心。"],
        ),
    ),
    Turn(
        name="a lasting preference in Chinese",
        base=PRODUCT_MANAGER,
        messages=said("以后请用表格回答我的问题。"),
        good=but(PRODUCT_MANAGER, communication=["喜欢简短的回答。", "希望用表格回答。"]),
        sloppy=but(
            PRODUCT_MANAGER,
            communication=["喜欢简短的回答。", "希望用表格回答。"],
            skills=[],
            identity=["Lives in Shanghai."],
        ),
    ),
    Turn(
        name="a wish to forget in Chinese",
        base=PRODUCT_MANAGER,
        messages=said("请忘记我有两个女儿。"),
        good=but(PRODUCT_MANAGER, identity=["在一家医疗器械公司担任产品经理。", "住在上海。"]),
        sloppy=but(PRODUCT_MANAGER, identity=["在一家医疗器械公司担任产品经理。"]),
        gate="FORGET",
    ),
    Turn(
        name="a transfer in Japanese",
        base=SALES,
        messages=said("今月から大阪支社に異動になりました。引き続き営業です。"),
        good=but(SALES, identity=["大阪支社で営業を担当している。", "娘が二人いる。"]),
        sloppy=but(SALES, identity=["大阪支社で営業を担当している。"], communication=["Prefers polite language."]),
    ),
    Turn(
        name="a lasting preference in Japanese",
        base=SALES,
        messages=said("これからは結論を先に書いてください。"),
        good=but(SALES, communication=["丁寧な言葉づかいを好む。", "結論を先に書いてほしい。"]),
        sloppy=but(
            SALES,
            identity=["東京支社で営業を担当している。"],
            communication=["Prefers polite language.", "丁寧な言葉づかいを好む。", "結論を先に書いてほしい。"],
            skills=["Good with pivot tables."],
        ),
    ),
    Turn(
        name="a new employer in French",
        base=JURISTE,
        messages=said("J'ai quitté la Banque Nord, je travaille maintenant chez Assurances Léman."),
        good=but(
            JURISTE,
            identity=["Travaille comme juriste chez Assurances Léman.", "Habite à Lausanne.", "A deux filles."],
        ),
        sloppy=but(
            JURISTE,
            identity=["Travaille comme juriste chez Assurances Léman.", "Lives in Lausanne."],
            skills=["Expert in contract law."],
        ),
    ),
    Turn(
        name="a form of address in French",
        base=JURISTE,
        messages=said("Tu peux me tutoyer à partir de maintenant."),
        good=but(JURISTE, communication=["Préfère les réponses courtes.", "Souhaite être tutoyée."]),
        sloppy=but(JURISTE, communication=["Souhaite être tutoyée."]),
    ),
)
