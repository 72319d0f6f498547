"""Everything that can go wrong, as the rest of the code names it.

Raised where it is known, mapped once at the edge. A message is one sentence and never holds what a user said.

    ContextMemoryError
    ├── InvalidInput                  the caller sent something wrong; names the field        422
    │   ├── InvalidId                 an id that cannot be encoded, or a segment that no id encodes to
    │   ├── BodyTooLarge              more than 1 MB                                          413
    │   ├── UnknownHeading            an edit has a heading that is none of the six; holds it
    │   └── OverCap                   what was typed takes more tokens than a profile may     422
    ├── Locked                        IAM lets the caller through, a lock of the company does not
    │   ├── CallerNotPinned           its role is none of those that may call                 403
    │   ├── UserTokenRequired         the company wants to see the user's own token           401
    │   ├── UserTokenInvalid          what was shown is no valid token                        401
    │   └── UserTokenOfAnother        it is another user's                                    403
    ├── ClaimRefused                  a claim of the user's token is missing, malformed or not allowed  403
    ├── UnknownTurn                   no such turn                                            404
    ├── NeverErased                   no memory of this user was ever erased                  404
    ├── UnknownSpace                  no such space is registered                             404
    ├── LinkUnknown                   a provider that is linked to nobody                     404
    ├── LinkDeclared                  a sign-in may not move what the company has declared    409
    ├── LinkConfirmationRequired      a link to a privileged user, not confirmed              409
    ├── MergeRuns                     a merge that is still under way                         409
    ├── MergeGone                     a merge that can be undone no more                      410
    ├── UnknownJob                    the company has no such job                             404
    ├── ConfirmationRefused           a job was not confirmed with its code, or too late      409
    ├── UnknownFact                   no such fact                                            404
    ├── UnknownRevision               no such revision of what is remembered now              404
    ├── RevisionGone                  its content is kept no more                             410
    ├── TurnConflict                  the same turn id with another body                      409
    ├── VersionConflict               somebody was faster; names what counts now               412
    ├── ProfileConflict               the same of a profile                                   412
    ├── PreconditionRequired          a change that does not name the version it was made of   428
    ├── ConfirmationRequired          what was asked for cannot be undone, and was not confirmed  409
    ├── MemorySwitchedOff             by the user, or with the company: there is none          409
    ├── TooManyOpenTurns              200 turns of this user are waiting                      429
    ├── Unavailable                   a fault of the world: wait and come again               503
    │   ├── FlagsUnavailable          whether memory is on is unknown, which is not "off"
    │   ├── IssuerUnavailable         whether a user's token is valid is unknown
    │   ├── EraseRunning              the user's memory is being erased
    │   ├── StoreUnavailable          S3, DynamoDB, SQS or STS did not answer or throttled or denied
    │   ├── Contended                 others kept changing the profile first
    │   └── ModelUnavailable          time-out, connection, 429 or 5xx of the language model
    │       ├── ModelServerError      5xx: the gate goes on without an answer
    │       └── ModelAccessDenied     401, 403 or an unknown model: someone must act
    ├── ProfileUnreadable             what is stored is not a readable profile                500
    │   ├── ProfileOwnerMismatch      it belongs to somebody else
    │   ├── ProfileNotUtf8            its bytes are no UTF-8
    │   ├── ProfileChecksumMismatch   it is not the text that was committed
    │   ├── ProfileBlank              a committed file without content
    │   └── ProfileVersionMissing     the committed version is gone                           503
    ├── SchemaNewer                   written by a newer release: shown, never overwritten
    ├── PayloadUnreadable             what was said in a turn was stored, and is no turn
    ├── ModelRejected                 400, content filter or refusal: this text will not be answered
    ├── MalformedReply                an answer that cannot be read
    ├── StoreRejected                 a store says that the request itself is wrong: our mistake
    ├── PreconditionFailed            somebody put an object in between (S3 412)
    ├── CommitRefused                 the transaction named the clauses that failed
    └── CallBudgetSpent               a turn has had its share of model calls
"""

from __future__ import annotations


class ContextMemoryError(Exception):
    """Root of all errors of this service."""


UNFORESEEN = "unforeseen"


def kind_of(error: Exception) -> str:
    """The class of an error of the tree, or `unforeseen`: a closed set, as metrics need it."""
    return type(error).__name__ if isinstance(error, ContextMemoryError) else UNFORESEEN


_LONGEST_SHOWN = 100
"""Characters of a caller's own text that an error holds, to be told to that very caller."""


class InvalidInput(ContextMemoryError):
    """The caller sent something wrong.

    Args:
        field: dotted path of the wrong field, as the caller wrote it (`messages.0.role`).
        detail: one sentence saying what is expected; never the value.
        known: the same path for logs, where a name of the caller's own making has no place; as `field` by default.
    """

    def __init__(self, field: str, detail: str, *, known: str | None = None) -> None:
        """Name the field and what was expected."""
        self.field = field
        self.detail = detail
        self.known = field if known is None else known
        super().__init__(f"{self.known}: {detail}")


class InvalidId(InvalidInput):
    """An id that cannot be encoded, or a path segment that is no id's encoding."""


class BodyTooLarge(InvalidInput):
    """The request body has more bytes than are accepted."""


class UnknownHeading(InvalidInput):
    """A heading is none of the six sections.

    Args:
        field: where it stands.
        heading: the person's own text: told to them, and no part of the message.
    """

    def __init__(self, field: str, heading: str) -> None:
        """Keep what is told of the heading."""
        super().__init__(field, "must have no heading but those of the six sections")
        self.heading = heading[:_LONGEST_SHOWN]


class OverCap(InvalidInput):
    """A profile would take more tokens than it may.

    Args:
        tokens: what it would take.
        cap: what it may.
    """

    def __init__(self, tokens: int, cap: int) -> None:
        """Keep both figures."""
        super().__init__("memory", f"would take {tokens} tokens; at most {cap} are kept")
        self.tokens = tokens
        self.cap = cap


class Locked(ContextMemoryError):
    """A lock that the company has put on itself stays shut; messages name no caller and no user."""


class CallerNotPinned(Locked):
    """The company has named the roles that may call for it, and the caller has assumed none of them."""


class UserTokenRequired(Locked):
    """The company wants the user's own token on every call about a user, and there is none."""


class UserTokenInvalid(Locked):
    """The token shown for a user is none that the issuer signed for this service, or no longer."""


class UserTokenOfAnother(Locked):
    """The token is valid, and asserts another user or another company than the call is about."""


class ClaimRefused(ContextMemoryError):
    """A claim of the user's token does not let this pass.

    Args:
        claim: its name.
        detail: one sentence saying what is expected; never the value.
    """

    def __init__(self, claim: str, detail: str) -> None:
        """Name the claim and what was expected."""
        super().__init__(detail)
        self.claim = claim
        self.detail = detail


class UnknownTurn(ContextMemoryError):
    """No turn of that id is known for this user."""


class NeverErased(ContextMemoryError):
    """There is no receipt: no memory of this user was ever erased."""


class ConfirmationRequired(ContextMemoryError):
    """What was asked for erases for good, and whoever asked has not said that they know."""


class UnknownSpace(ContextMemoryError):
    """No space of that id is registered for this company."""


class LinkUnknown(ContextMemoryError):
    """The provider is linked to no user of this company."""


class LinkDeclared(ContextMemoryError):
    """A sign-in may not move what the company has declared."""


class LinkConfirmationRequired(ContextMemoryError):
    """The link leads to a privileged user, and whoever asked has not said that they know."""


class MergeRuns(ContextMemoryError):
    """A merge that is still under way cannot be undone."""


class MergeGone(ContextMemoryError):
    """The merge can be undone no more: it is too long ago, or nothing came of it."""


class UnknownJob(ContextMemoryError):
    """The company has no job of that id."""


class ConfirmationRefused(ContextMemoryError):
    """A job that must be confirmed was not: another code, or too late, or too often wrong."""


class UnknownFact(ContextMemoryError):
    """No fact of that id stands in the scope."""


class UnknownRevision(ContextMemoryError):
    """No revision with this number belongs to what is remembered now."""


class RevisionGone(ContextMemoryError):
    """The revision is known, but the content that it made is kept no more."""


class TurnConflict(ContextMemoryError):
    """The turn id was used before with another body."""


class VersionConflict(ContextMemoryError):
    """What was to be replaced is no longer, or not yet, what the caller has seen.

    Args:
        version: what counts now.
    """

    def __init__(self, version: int) -> None:
        """Keep the version that counts now."""
        super().__init__(f"Version {version} counts now.")
        self.version = version


class ProfileConflict(ContextMemoryError):
    """The profile that was to be changed is no longer the one that the caller has seen.

    Args:
        version: epoch and count of the one that stands now.
    """

    def __init__(self, version: tuple[int, int]) -> None:
        """Keep the version that stands now."""
        super().__init__("Another version of the profile stands now.")
        self.version = version


class PreconditionRequired(ContextMemoryError):
    """A change must name the version that it was made of, or it could undo what nobody has seen."""


class MemorySwitchedOff(ContextMemoryError):
    """Switched off by the user, or closed with the company: there is nothing to show or to change."""


class TooManyOpenTurns(ContextMemoryError):
    """The user has as many turns waiting as are allowed."""


class Unavailable(ContextMemoryError):
    """A fault of the world, not of the turn: nothing is lost by waiting.

    Args:
        detail: which part did not answer.
        retry_after: seconds that the other side asked for, if it did.
    """

    def __init__(self, detail: str, retry_after: float | None = None) -> None:
        """Say which part did not answer and how long it asked to be left alone."""
        super().__init__(detail)
        self.detail = detail
        self.retry_after = retry_after


class FlagsUnavailable(Unavailable):
    """Whether memory is on for the company is unknown."""


class IssuerUnavailable(Unavailable):
    """The issuer of users' tokens does not say which keys it signs with."""


class EraseRunning(Unavailable):
    """The user's memory is being erased right now."""


class StoreUnavailable(Unavailable):
    """A store, a queue or the credential service did not answer, throttled, or denied."""


class Contended(Unavailable):
    """Others changed the profile first, each time; calls that were answered meanwhile count."""


class ModelUnavailable(Unavailable):
    """The language model timed out, was out of reach, or asked to slow down."""


class ModelServerError(ModelUnavailable):
    """The language model's endpoint failed with a 5xx."""


class ModelAccessDenied(ModelUnavailable):
    """The endpoint refuses the key or does not know the model."""


class ProfileUnreadable(ContextMemoryError):
    """What is stored cannot be read as the profile that was asked for."""


class ProfileOwnerMismatch(ProfileUnreadable):
    """The stored profile names another owner."""


class ProfileNotUtf8(ProfileUnreadable):
    """The stored bytes are no UTF-8."""


class ProfileChecksumMismatch(ProfileUnreadable):
    """The stored bytes are not those that were committed."""


class ProfileBlank(ProfileUnreadable):
    """A committed profile holds nothing but white space."""


class ProfileVersionMissing(ProfileUnreadable):
    """The committed version of the object is gone."""


class SchemaNewer(ContextMemoryError):
    """The stored profile was written by a newer release."""


class PayloadUnreadable(ContextMemoryError):
    """The stored payload of a turn is none that we could have written."""


class ModelRejected(ContextMemoryError):
    """The language model will not answer this text.

    Args:
        kind: `length`, `content_filter`, `refusal` or `invalid_request`.
    """

    def __init__(self, kind: str) -> None:
        """Say what kind of rejection it was."""
        super().__init__(f"The language model rejected the request ({kind}).")
        self.kind = kind


class MalformedReply(ContextMemoryError):
    """The model's answer cannot be read; the message says why, for the next try."""


class StoreRejected(ContextMemoryError):
    """A store, a queue or the credential service says that the request itself is wrong: waiting does not help."""


class PreconditionFailed(ContextMemoryError):
    """The object changed between reading and writing."""


class CommitRefused(ContextMemoryError):
    """The transaction was cancelled.

    Args:
        clauses: names of the clauses whose condition failed (`profile`, `settings`, `turn`, `seen`, `revision`).
    """

    def __init__(self, clauses: frozenset[str]) -> None:
        """Keep the names of the clauses that failed."""
        super().__init__(f"The commit was refused by: {', '.join(sorted(clauses)) or 'nothing named'}.")
        self.clauses = clauses


class CallBudgetSpent(ContextMemoryError):
    """A turn has had its share of answered model calls."""
