"""Sort keys of one user's items. What load needs begins with `A#`, so that one query serves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb.attributes import spelled_all
from context_memory.domain.ids import encode

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from context_memory.domain.ids import UserKey

STATE = "A#"
PROFILE = "A#PROFILE"
SETTINGS = "A#SETTINGS"
SEEN = "A#SEEN"
OPEN = "A#OPEN#"
CHANGE = "A#CHANGE#"
REVISIONS = "REVISION#"
TURNS = "TURN#"
FORGOTTEN = "FORGOTTEN#"
FACTS_HEAD = "FACT"
FACTS = "FACT#"
FACTS_END = "FACT$"
"""Behind every fact: `$` comes next after `#`."""
EXTRACTIONS = "EXTRACT#"
KEPT_CLOSED = "KEPT"
KEPT = "KEPT#"
PROMPTS = "PROMPT#"
MOVED = "MOVED#"
MERGED = "MERGED#"


def turn(turn_id: str) -> str:
    """`TURN#<turn_id>`."""
    return f"{TURNS}{encode(turn_id, 'turn_id')}"


def revision(epoch: int, turn_count: int) -> str:
    """`REVISION#<epoch>#<turn_count>`, padded so that the keys sort as the numbers do."""
    return f"{REVISIONS}{epoch:010d}#{turn_count:010d}"


def change(epoch: int, turn_count: int) -> str:
    """`A#CHANGE#<epoch>#<turn_count>`, padded in the same way."""
    return f"{CHANGE}{epoch:010d}#{turn_count:010d}"


def fact(fact_id: str) -> str:
    """`FACT#<id>`."""
    return f"{FACTS}{fact_id}"


def extraction(open_key: str) -> str:
    """`EXTRACT#<open_key>`: as the turn's open item, so in the order of acceptance."""
    return f"{EXTRACTIONS}{open_key}"


def kept(open_key: str) -> str:
    """`KEPT#<open_key>`: in the order of acceptance."""
    return f"{KEPT}{open_key}"


def prompt(prompt_id: str) -> str:
    """`PROMPT#<prompt_id>#`: what the keys of one prompt's answers begin with, and those of no other's."""
    return f"{PROMPTS}{encode(prompt_id, 'prompt_id')}#"


def moved(merge_id: str, fact_id: str = "") -> str:
    """`MOVED#<merge>#<id>`: a fact that a merge has taken from this user."""
    return f"{MOVED}{merge_id}#{fact_id}"


def merged(merge_id: str, fact_id: str = "") -> str:
    """`MERGED#<merge>#<id>`: that a merge has brought this user a fact."""
    return f"{MERGED}{merge_id}#{fact_id}"


def key(user: UserKey, sort_key: str) -> dict[str, AttributeValueTypeDef]:
    """Primary key of an item."""
    return spelled_all({"pk": user.partition, "sk": sort_key})
