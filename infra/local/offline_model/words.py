"""The words of a text that say something, to tell whether two texts are about the same."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-zäöüßéèêàçñ0-9][a-zäöüßéèêàçñ0-9+#'-]*", re.IGNORECASE)
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_SILENT = frozenset(
    re.findall(
        r"\S+",
        """
        a about all also am an and any are as at be been but by can do does for from had has have he her his i i'm in
        into is it its just me mine my no not now of on or our out please she so some that that's the their them they
        this to too up was we were what when where which who will with would you your said told anything something
        thing things works work lives uses likes loves prefers wants want know knows memory remember forget everything
        longer anymore
        aber alles als am an auch auf aus bei bin bitte das dass dem den der des die du ein eine einem einen einer er es
        für habe haben hat ich ihr im in ist ja kein keine man mein meine meinem meinen meiner mich mir mit nach nein
        nicht nun oder sein sich sie sind so und uns von vom war was wer wie wir wird zu zum zur über gesagt mehr
        arbeitet wohnt lebt nutzt mag liebt möchte vergiss jetzt
        """,
    )
)


def content_words(text: str) -> frozenset[str]:
    """Lower-case content words; runs without blanks (Chinese, Japanese) as pairs of characters."""
    folded = text.casefold()
    words = {word.strip("'-") for word in _WORD.findall(folded)} - _SILENT
    pairs = {run[at : at + 2] for run in _HAN.findall(folded) for at in range(max(1, len(run) - 1))}
    return frozenset(word for word in words if word) | pairs
