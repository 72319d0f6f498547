"""What facts cost beside their extraction and their recall; docs/deploying.md names what is assumed."""

from __future__ import annotations

from infra.costs import prices, usage

WEEKS = 52 / 12
"""Of a month: so often compaction walks through a company."""
CITED_SHARE = 1.0
"""Of recalls whose answer is handed back for its citations; the most that it can be."""
CITED_FACTS = 2
NEW_GROUPS = 0.5
"""Groups of old facts of a user that a week brings: each is asked about once."""
GROUP_INPUT_TOKENS, GROUP_OUTPUT_TOKENS = 600, 120
UNEMBEDDED_SHARE = 0.02
"""Of turns that leave facts: the endpoint was down, and a job gives the facts their vectors."""
CHANGES_A_DAY = 5
"""Of the facts that a company shares, each of which is published; a snapshot holds all of them."""
USERS_OF_A_COMPANY, SHARED_FACTS = 1_000, 1_000
_ALL_FACTS = usage.FACTS * usage.FACT_BYTES / 4096
"""Read units for all facts of a user."""
_JOB = 3 * prices.QUEUE_REQUEST + prices.LAMBDA_REQUEST
"""Sent, received, deleted, worked on."""
_AGENDA = 2 * prices.WRITE_UNIT
"""An entry noted, and struck."""


def citations() -> float:
    """Dollars a turn: the prompt and the state are read, each cited fact is read, and its use counted."""
    function = prices.LAMBDA_REQUEST + usage.DAY.recall_seconds * prices.LAMBDA_GB_SECOND
    stores = (2 + CITED_FACTS) * prices.READ_UNIT + CITED_FACTS * prices.WRITE_UNIT
    return usage.DAY.recalls * CITED_SHARE * (prices.API_REQUEST + function + stores)


def compaction() -> float:
    """Dollars a turn to AWS: once a week all facts of each user are read, and what belongs together is put as one.

    A second of a GB for a user, and the wait for the model for a group; a merge writes its facts in one transaction.
    """
    call = usage.DAY.call_seconds * prices.LAMBDA_GB_SECOND + 8 * prices.WRITE_UNIT
    week = prices.LAMBDA_GB_SECOND + _ALL_FACTS * prices.READ_UNIT + NEW_GROUPS * call
    return WEEKS * week / usage.TURNS_PER_USER_AND_MONTH


def compaction_model() -> float:
    """Dollars a turn to the model's provider, for groups of old facts."""
    group = GROUP_INPUT_TOKENS * prices.MODEL_INPUT + GROUP_OUTPUT_TOKENS * prices.MODEL_OUTPUT
    return WEEKS * NEW_GROUPS * group / usage.TURNS_PER_USER_AND_MONTH


def indexes() -> float:
    """Dollars a turn for the jobs `embed` and `publish`: vectors that were missed, and indexes of what is shared."""
    embed = _JOB + _AGENDA + prices.LAMBDA_GB_SECOND + _ALL_FACTS * prices.READ_UNIT + 6 * prices.WRITE_UNIT
    shared = SHARED_FACTS * usage.FACT_BYTES / 4096 * prices.READ_UNIT
    publish = _JOB + _AGENDA + 2 * prices.LAMBDA_GB_SECOND + shared + prices.S3_WRITE
    changes = CHANGES_A_DAY * 30 / (USERS_OF_A_COMPANY * usage.TURNS_PER_USER_AND_MONTH)
    return usage.UPDATE_SHARE * UNEMBEDDED_SHARE * embed + changes * publish
