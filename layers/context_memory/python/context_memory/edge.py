"""The edge of the functions that answer HTTP: errors become problem documents here and nowhere else."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from context_memory.contracts.http import Request
from context_memory.contracts.problems import problem
from context_memory.domain.errors import ClaimRefused, ContextMemoryError, InvalidInput, Locked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.contracts.http import Answer, Event
    from context_memory.domain.ids import UserKey
    from context_memory.ports import Telemetry


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
    whom: Callable[[Request], UserKey | None] = path_user,
) -> Callable[[Event, object], Answer]:
    """A Lambda handler that answers each of API Gateway's routes with one function.

    `locks` raise when a request may not pass; no route is asked then (`unlocked` where there are none).
    `whom` tells whom lines are about, and may raise what a route would (by default the user in the path).
    What locks and routes raise becomes a problem document. The log gets the error's class: messages of errors that
    nobody foresaw may quote what a user said.
    """

    def handle(event: Event, _context: object) -> Answer:
        with ExitStack() as about:
            return answered(event, about)

    def answered(event: Event, about: ExitStack) -> Answer:
        request_id = event["requestContext"]["requestId"]
        try:
            request = Request.of(event)
            with suppress(InvalidInput, ClaimRefused):  # what is wrong with a request is the route's to say
                if user := whom(request):
                    about.enter_context(telemetry.about(user))
            locks(request)
            answer = routes[event["routeKey"]](request)
        except InvalidInput as error:
            answer = problem(error, request_id)
            telemetry.event("refused a request", field=error.field, status=answer["statusCode"])
        except Locked as error:
            answer = problem(error, request_id)
            telemetry.warning("kept a lock shut", error_type=type(error).__name__, status=answer["statusCode"])
            telemetry.count("errors_total", stage="locks", error_type=type(error).__name__)
        except ClaimRefused as error:
            answer = problem(error, request_id)
            telemetry.warning("refused a token", claim=error.claim, status=answer["statusCode"])
            telemetry.count("errors_total", stage="tokens", error_type=type(error).__name__)
        except ContextMemoryError as error:
            answer = problem(error, request_id)
            telemetry.warning("could not answer", error_type=type(error).__name__, status=answer["statusCode"])
            telemetry.count("errors_total", stage="http", error_type=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the last line: a caller gets a problem document, never a trace
            answer = problem(error, request_id)
            telemetry.warning("failed to answer", error_type=type(error).__name__, status=answer["statusCode"])
            telemetry.count("errors_total", stage="http", error_type=type(error).__name__)
        answer["headers"]["x-request-id"] = request_id
        return answer

    return handle


def unlocked(_request: Request) -> None:
    """The locks of routes that have none beside the gateway's authorizer."""
