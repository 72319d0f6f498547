"""Characters that nobody sees: which of them a text needs, and which only hide something."""

from __future__ import annotations

import re
import unicodedata

# Zero width space, word joiner, byte order mark; then the bidirectional controls.
_NEVER_NEEDED = re.compile("[\u200b\u2060\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

# A black flag, a region code spelled in tag characters (England is gbeng) and the closing tag: one visible flag.
# Any other tag character spells text that only a machine reads.
_FLAG_OR_TAG = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)|[\U000e0000-\U000e007f]"
)

# Scripts whose letters change shape beside a joiner: Arabic and its kin, the scripts of India and South East Asia,
# Tibetan, Mongolian, and their historic relatives.
_SHAPED = (
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010aff\U00010d00-\U00011fff\U0001e900-\U0001e95f]"
)
# Pictures and what may stand before a joiner with them: symbols, the variation selector, skin tones.
_PICTURE = "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
_JOINER = "[\u200c\u200d]"
_JOINER_IN_USE_OR_NOT = re.compile(
    f"((?<={_SHAPED}){_JOINER}|{_JOINER}(?={_SHAPED})|(?<={_PICTURE})\u200d(?={_PICTURE}))|{_JOINER}"
)

# Format characters that Unicode does not class as such: the grapheme joiner and the variation selectors.
_FORMAT_BY_USE = re.compile("[\u034f\u180b-\u180d\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def remove_hidden(text: str) -> str:
    """Take out what is invisible and not needed to show the rest.

    Flags of regions, families and other joined emoji, and the joiners of Persian or Hindi stay.
    """
    if text.isascii():
        return text
    text = _NEVER_NEEDED.sub("", text)
    text = _FLAG_OR_TAG.sub(_kept, text)
    return _JOINER_IN_USE_OR_NOT.sub(_kept, text)


def as_seen(text: str) -> str:
    """`text` as an eye takes it: compatibility forms unified, format characters gone. For recognising only."""
    if text.isascii():
        return text
    text = _FORMAT_BY_USE.sub("", unicodedata.normalize("NFKC", text))
    return "".join(char for char in text if unicodedata.category(char) != "Cf")


def nothing_to_see(text: str) -> bool:
    """Whether `text` holds white space and invisible characters only."""
    return not as_seen(text).strip()


def _kept(found: re.Match[str]) -> str:
    return found[1] or ""
