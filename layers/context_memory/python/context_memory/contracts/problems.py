"""Errors as RFC 9457 problem documents: the one place where an error becomes a status."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from context_memory.contracts.http import profile_etag, version_etag
from context_memory.domain import errors

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer

RETRY_AFTER_SECONDS = 5
"""What a caller is asked to wait when nobody said how long."""
ERASE_RETRY_AFTER_SECONDS = 60
"""What a caller is asked to wait while an erase runs: its second sweep comes minutes after the first."""

KINDS: tuple[tuple[type[Exception], int, str, str], ...] = (
    (errors.BodyTooLarge, 413, "body_too_large", "The request body is too large."),
    (errors.InvalidInput, 422, "invalid_input", "The request is not valid."),
    (errors.CallerNotPinned, 403, "caller_not_pinned", "The company does not let this caller in."),
    (errors.UserTokenRequired, 401, "user_token_required", "The company requires the user's own token."),
    (errors.UserTokenInvalid, 401, "user_token_invalid", "The user's token is not valid."),
    (errors.UserTokenOfAnother, 403, "user_token_of_another", "The user's token is another user's."),
    (errors.ClaimRefused, 403, "claim_refused", "The token does not allow this."),
    (errors.ProfileConflict, 412, "version_conflict", "Somebody was faster."),
    (errors.PreconditionRequired, 428, "precondition_required", "The change must name a version in If-Match."),
    (errors.MemorySwitchedOff, 409, "memory_off", "Memory is switched off."),
    (errors.VersionConflict, 412, "version_conflict", "Somebody was faster."),
    (errors.UnknownTurn, 404, "unknown_turn", "No such turn."),
    (errors.NeverErased, 404, "never_erased", "No memory of this user was ever erased."),
    (errors.ConfirmationRequired, 409, "confirmation_required", "This erases the memory for good: confirm it."),
    (errors.UnknownSpace, 404, "unknown_space", "No such space is registered."),
    (errors.LinkUnknown, 404, "link_unknown", "Nobody is linked here."),
    (errors.LinkDeclared, 409, "link_declared", "The company has declared this link."),
    (errors.LinkConfirmationRequired, 409, "confirmation_required", "The user is privileged: confirm the link."),
    (errors.MergeRuns, 409, "merge_running", "The merge is still under way."),
    (errors.MergeGone, 410, "merge_gone", "The merge can be undone no more."),
    (errors.UnknownJob, 404, "unknown_job", "No such job."),
    (errors.ConfirmationRefused, 409, "confirmation_refused", "The job was not confirmed."),
    (errors.UnknownFact, 404, "unknown_fact", "No such fact."),
    (errors.UnknownRevision, 404, "unknown_revision", "No such revision."),
    (errors.RevisionGone, 410, "revision_gone", "The content of this revision is kept no more."),
    (errors.TurnConflict, 409, "turn_conflict", "This turn id was used with another body."),
    (errors.TooManyOpenTurns, 429, "too_many_open_turns", "Too many turns of this user are waiting."),
    (errors.FlagsUnavailable, 503, "flags_unavailable", "Whether memory is on is unknown right now."),
    (errors.IssuerUnavailable, 503, "issuer_unavailable", "Whether the user's token is valid is unknown right now."),
    (errors.EraseRunning, 503, "erase_running", "The user's memory is being erased."),
    (errors.Unavailable, 503, "store_unavailable", "The memory is out of reach right now."),
    (errors.ProfileVersionMissing, 503, "store_unavailable", "The memory is out of reach right now."),
    (errors.ProfileOwnerMismatch, 500, "owner_mismatch", "The stored memory belongs to somebody else."),
    (errors.ProfileUnreadable, 500, "profile_unreadable", "The stored memory cannot be read."),
)
"""Class, status, type and title: the first class that an error is an instance of decides."""
INTERNAL = "internal"
EXPORT_PATH = "/v1/me/export"
"""Where a user gets everything before it is gone."""
_WAIT = frozenset({429, 503})
_CHALLENGES = {
    "user_token_required": 'Bearer realm="x-user-token"',
    "user_token_invalid": 'Bearer realm="x-user-token", error="invalid_token"',
}
"""What a 401 must say of how to come in, by name of the problem."""


def problem(error: Exception, request_id: str) -> Answer:
    """The answer to an error: never a stack trace, never a value of the request, never a piece of memory."""
    for kind, status, name, title in KINDS:
        if isinstance(error, kind):
            return _document(error, status, name, title, request_id)
    return _document(error, 500, INTERNAL, "Something went wrong on our side.", request_id)


def _document(error: Exception, status: int, name: str, title: str, request_id: str) -> Answer:
    body: dict[str, object] = {"type": f"urn:context-memory:problem:{name}", "title": title, "status": status}
    headers = {"content-type": "application/problem+json", "cache-control": "no-store", "x-request-id": request_id}
    if isinstance(error, errors.InvalidInput):
        body |= {"detail": error.detail, "field": error.field}
    if isinstance(error, errors.ClaimRefused):
        body |= {"detail": error.detail, "claim": error.claim}
    if name in _CHALLENGES:
        headers["www-authenticate"] = _CHALLENGES[name]
    if isinstance(error, errors.ConfirmationRequired):
        body["export"] = EXPORT_PATH
    if isinstance(error, errors.UnknownHeading):
        body["heading"] = error.heading
    if isinstance(error, errors.OverCap):
        body |= {"tokens": error.tokens, "cap": error.cap}
    if isinstance(error, errors.ProfileConflict):
        headers["etag"] = profile_etag(error.version)
    if isinstance(error, errors.VersionConflict):
        headers["etag"] = version_etag(error.version)
    if status in _WAIT:
        headers["retry-after"] = str(_wait(error))
    return {"statusCode": status, "headers": headers, "body": json.dumps(body)}


def _wait(error: Exception) -> int:
    """Seconds after which asking again may be of use."""
    if isinstance(error, errors.EraseRunning):
        return ERASE_RETRY_AFTER_SECONDS
    asked = error.retry_after if isinstance(error, errors.Unavailable) else None
    return math.ceil(asked or RETRY_AFTER_SECONDS)
