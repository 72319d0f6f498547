"""The edge of the functions that answer HTTP: locks, errors as problem documents, and the audit: here, nowhere else."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from context_memory.contracts.http import Request
from context_memory.contracts.problems import problem
from context_memory.domain.errors import (
    CallerNotPinned,
    ClaimRefused,
    ContextMemoryError,
    InvalidInput,
    Locked,
    UserTokenOfAnother,
    kind_of,
)
from context_memory.domain.ids import company
from context_memory.ports.telemetry import Access

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.contracts.http import Answer, Event
    from context_memory.domain.ids import UserKey
    from context_memory.ports.telemetry import Audit, Telemetry

_TRESPASSES = (CallerNotPinned, UserTokenOfAnother)
"""What is no slip, as a token that is over may be: somebody is let in by IAM and reaches for what is another's."""


def path_user(request: Request) -> UserKey | None:
    """The user whom the path names, None where it names none.

    Raises:
        InvalidId: a segment that is no id's spelling.
    """
    return request.user if "user_id" in request.path else None


def http(
    routes: Mapping[str, Callable[[Request], Answer]],
    telemetry: Telemetry,
    *,
    locks: Callable[[Request], None],
    audit: Audit,
    linked: Callable[[Request], Request],
    whom: Callable[[Request], UserKey | None] = path_user,
    stage: str = "http",
) -> Callable[[Event, object], Answer]:
    """A Lambda handler that answers each of API Gateway's routes with one function.

    `locks` raise when a request may not pass; no route is asked then (`unlocked` where there are none).
    `linked` puts the user into a path that names a provider (`channel:user`); it is asked before anything else, and
    only then, so that locks, lines, audit records and routes all see the user (`unlinked` where no path names one).
    `whom` tells whom lines and audit records are about, and may raise what a route would (by default the user in the
    path). Every answer is recorded in the audit, refusals too.
    What locks and routes raise becomes a problem document, and counts as a failure of `stage`. The log gets the
    error's class: messages of errors that nobody foresaw may quote what a user said.
    """

    def handle(event: Event, _context: object) -> Answer:
        with ExitStack() as about:
            answer, path = answered(event, about)
        audit.record(_access({**event, "pathParameters": path}, whom, answer["statusCode"]))
        return answer

    def answered(event: Event, about: ExitStack) -> tuple[Answer, Mapping[str, str]]:
        """The answer, and the path with the user whom it is about."""
        request_id, path = event["requestContext"]["requestId"], event.get("pathParameters") or {}
        try:
            request = _with_user(Request.of(event), linked)
            path = request.path
            with suppress(InvalidInput, ClaimRefused):  # what is wrong with a request is the route's to say
                if user := whom(request):
                    about.enter_context(telemetry.about(user))
            locks(request)
            answer = routes[event["routeKey"]](request)
        except InvalidInput as error:
            answer = problem(error, request_id)
            telemetry.event("refused a request", field=error.known, status=answer["statusCode"])
        except Locked as error:
            answer = problem(error, request_id)
            telemetry.warning("kept a lock shut", error_type=type(error).__name__, status=answer["statusCode"])
            telemetry.count("errors_total", stage="locks", error_type=kind_of(error))
            if isinstance(error, _TRESPASSES):
                telemetry.count("trespasses_total")
        except ClaimRefused as error:
            answer = problem(error, request_id)
            telemetry.warning("refused a token", claim=error.claim, status=answer["statusCode"])
            telemetry.count("errors_total", stage="tokens", error_type=kind_of(error))
        except ContextMemoryError as error:
            answer = problem(error, request_id)
            telemetry.warning("could not answer", error_type=type(error).__name__, status=answer["statusCode"])
            telemetry.count("errors_total", stage=stage, error_type=kind_of(error))
        except Exception as error:  # noqa: BLE001 - the last line: a caller gets a problem document, never a trace
            answer = problem(error, request_id)
            telemetry.warning("failed to answer", error_type=type(error).__name__, status=answer["statusCode"])
            telemetry.count("errors_total", stage=stage, error_type=kind_of(error))
        answer["headers"]["x-request-id"] = request_id
        return answer, path

    return handle


def _with_user(request: Request, linked: Callable[[Request], Request]) -> Request:
    """The request as it came, unless its path names a provider: then whom that is linked to stands there."""
    return linked(request) if request.names_provider else request


def _access(event: Event, whom: Callable[[Request], UserKey | None], status: int) -> Access:
    """What the audit is told of a call. What the path or a token cannot name is left out, never copied."""
    request = Request.of({**event, "body": None})  # a body that cannot be read is recorded, too
    user, company_id = None, None
    with suppress(InvalidInput, ClaimRefused):
        company_id = company(request.path["company_id"]) if "company_id" in request.path else None
        user = whom(request)
    return Access(
        route=request.route,
        status=status,
        request_id=request.request_id,
        caller=request.caller or ("user" if request.claims else "unknown"),
        company_id=user.company_id if user else company_id,
        user=user,
    )


def unlocked(_request: Request) -> None:
    """The locks of routes that have none beside the gateway's authorizer."""


def unlinked(request: Request) -> Request:
    """Of routes that name no user in their paths: a provider there would be no id, as the route says."""
    return request
