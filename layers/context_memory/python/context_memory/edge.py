"""The edge of the functions that answer HTTP: errors become problem documents here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.contracts.http import Request
from context_memory.contracts.problems import problem
from context_memory.domain.errors import ContextMemoryError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.contracts.http import Answer, Event
    from context_memory.ports import Telemetry


def http(routes: Mapping[str, Callable[[Request], Answer]], telemetry: Telemetry) -> Callable[[Event, object], Answer]:
    """A Lambda handler that answers each of API Gateway's routes with one function.

    What a route raises becomes a problem document. The log gets the error's class: messages of errors that nobody
    foresaw may quote what a user said.
    """

    def handle(event: Event, _context: object) -> Answer:
        request_id = event["requestContext"]["requestId"]
        try:
            answer = routes[event["routeKey"]](Request.of(event))
        except InvalidInput as error:
            answer = problem(error, request_id)
            telemetry.event("refused a request", field=error.field, status=answer["statusCode"])
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
