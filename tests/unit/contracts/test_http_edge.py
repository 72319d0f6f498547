from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from context_memory import edge
from context_memory.adapters.in_memory.audit import RecordingAudit
from context_memory.adapters.in_memory.telemetry import RecordingTelemetry, stand_in
from context_memory.contracts.http import Request, answer, etags, expected_profiles, profile_etag
from context_memory.contracts.memory import EditBody
from context_memory.contracts.problems import problem
from context_memory.domain import errors
from context_memory.domain.ids import UserKey
from context_memory.ports.telemetry import Access

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from context_memory.contracts.http import Answer

ROUTE = "GET /things/{thing}"
CANARY = "canary-4711"
ROLE_ARN = "arn:aws:sts::123456789012:assumed-role/orchestrator/session"


def event(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {"routeKey": ROUTE, "requestContext": {"requestId": "r-1"}} | changes


def all_errors(kind: type[Exception] = errors.ContextMemoryError) -> Iterator[type[Exception]]:
    for child in kind.__subclasses__():
        yield child
        yield from all_errors(child)


MADE_OF: dict[type[Exception], tuple[object, ...]] = {
    errors.OverCap: (2100, 2000),
    errors.ProfileConflict: ((1, 4711),),
    errors.InvalidInput: ("messages.0.role", "must be a role"),
    errors.ClaimRefused: ("company_id", "must name one company"),
    errors.CommitRefused: (frozenset({CANARY}),),
    errors.VersionConflict: (4711,),
}
"""What errors are made of that take more than a message; the first class that fits decides."""


def made(kind: type[Exception]) -> Exception:
    """An error with a canary where a value of the request could stand."""
    return kind(*next((made_of for known, made_of in MADE_OF.items() if issubclass(kind, known)), (CANARY,)))


@pytest.mark.parametrize("kind", sorted(set(all_errors()), key=str))
def test_every_error_of_ours_has_a_problem_document_that_tells_no_secret(kind: type[Exception]) -> None:
    told = problem(made(kind), "r-1")
    body = json.loads(told["body"])
    assert told["headers"]["content-type"] == "application/problem+json"
    assert body["status"] == told["statusCode"] >= 400
    assert body["type"].startswith("urn:context-memory:problem:")
    assert CANARY not in told["body"]
    assert ("retry-after" in told["headers"]) == (told["statusCode"] in {429, 503})


@pytest.mark.parametrize(
    ("error", "status", "name"),
    [
        (errors.InvalidId("user_id", "must be"), 422, "invalid_input"),
        (errors.BodyTooLarge("body", "must be"), 413, "body_too_large"),
        (errors.CallerNotPinned("x"), 403, "caller_not_pinned"),
        (errors.UserTokenRequired("x"), 401, "user_token_required"),
        (errors.UserTokenInvalid("x"), 401, "user_token_invalid"),
        (errors.UserTokenOfAnother("x"), 403, "user_token_of_another"),
        (errors.ClaimRefused("sub", "must be"), 403, "claim_refused"),
        (errors.UnknownTurn("x"), 404, "unknown_turn"),
        (errors.TurnConflict("x"), 409, "turn_conflict"),
        (errors.VersionConflict(3), 412, "version_conflict"),
        (errors.TooManyOpenTurns("x"), 429, "too_many_open_turns"),
        (errors.FlagsUnavailable("x"), 503, "flags_unavailable"),
        (errors.EraseRunning("x"), 503, "erase_running"),
        (errors.StoreUnavailable("x"), 503, "store_unavailable"),
        (errors.ProfileVersionMissing("x"), 503, "store_unavailable"),
        (errors.ProfileOwnerMismatch("x"), 500, "owner_mismatch"),
        (errors.ProfileNotUtf8("x"), 500, "profile_unreadable"),
        (KeyError("x"), 500, "internal"),
    ],
)
def test_each_error_has_its_status(error: Exception, status: int, name: str) -> None:
    told = problem(error, "r-1")
    assert (told["statusCode"], json.loads(told["body"])["type"].rpartition(":")[2]) == (status, name)


@pytest.mark.parametrize(
    ("error", "challenge"),
    [
        (errors.UserTokenRequired("x"), 'Bearer realm="x-user-token"'),
        (errors.UserTokenInvalid("x"), 'Bearer realm="x-user-token", error="invalid_token"'),
        (errors.UserTokenOfAnother("x"), None),
    ],
)
def test_whoever_could_come_in_with_another_token_is_told_so(error: Exception, challenge: str | None) -> None:
    assert problem(error, "r-1")["headers"].get("www-authenticate") == challenge


def test_a_lock_that_stays_shut_asks_no_route_and_names_no_caller() -> None:
    telemetry, asked = RecordingTelemetry(), list[Request]()

    def refuse(_: Request) -> None:
        raise errors.CallerNotPinned(CANARY)

    def ask(request: Request) -> Answer:
        asked.append(request)
        return answer(200)

    told = edge.http({ROUTE: ask}, telemetry, locks=refuse, linked=edge.unlinked, audit=RecordingAudit())(event(), None)
    assert (told["statusCode"], asked) == (403, [])
    assert CANARY not in json.dumps(told) + repr(telemetry)
    assert telemetry.total("errors_total", stage="locks", error_type="CallerNotPinned") == 1


@pytest.mark.parametrize(
    ("error", "counted"),
    [
        (errors.CallerNotPinned("x"), 1),
        (errors.UserTokenOfAnother("x"), 1),
        (errors.UserTokenRequired("x"), 0),
        (errors.UserTokenInvalid("x"), 0),
        (errors.IssuerUnavailable("x"), 0),
        (errors.InvalidId("company_id", "x"), 0),
    ],
)
def test_reaching_for_what_is_anothers_is_counted_apart_from_slips(error: Exception, counted: int) -> None:
    telemetry = RecordingTelemetry()

    def refuse(_: Request) -> None:
        raise error

    edge.http({ROUTE: lambda _: answer(200)}, telemetry, locks=refuse, linked=edge.unlinked, audit=RecordingAudit())(
        event(), None
    )
    assert telemetry.total("trespasses_total") == counted


@pytest.mark.parametrize(
    ("authorizer", "caller"),
    [
        ({"iam": {"accountId": "123456789012", "userArn": ROLE_ARN}}, ROLE_ARN),
        ({"iam": {"accountId": "210987654321", "userArn": ROLE_ARN}}, None),
        ({"iam": {"userArn": ROLE_ARN}}, None),
        ({"iam": {"accountId": "123456789012", "userArn": None}}, None),
        ({"iam": None}, None),
        ({"jwt": {"claims": {"sub": "lena"}}}, None),
        (None, None),
    ],
)
def test_the_caller_is_who_iam_authorised_and_nobody_where_that_is_unclear(authorizer: Any, caller: str | None) -> None:  # noqa: ANN401 - any JSON
    context = {"requestId": "r-1", "authorizer": authorizer}
    assert Request.of(event(requestContext=context)).caller == caller


def test_a_request_shows_neither_its_body_nor_its_headers() -> None:
    shown = repr(Request.of(event(body=CANARY, headers={"x-user-token": CANARY})))
    assert CANARY not in shown


def test_the_other_sides_wish_to_wait_is_handed_on() -> None:
    assert problem(errors.StoreUnavailable("x", retry_after=2.1), "r-1")["headers"]["retry-after"] == "3"


def test_whoever_meets_a_running_erase_is_asked_to_wait_as_long_as_one_takes() -> None:
    assert problem(errors.EraseRunning("x"), "r-1")["headers"]["retry-after"] == "60"


def test_an_error_that_nobody_foresaw_is_told_by_its_class_alone() -> None:
    telemetry = RecordingTelemetry()

    def fail(_: Request) -> Answer:
        raise ZeroDivisionError(CANARY)

    told = edge.http({ROUTE: fail}, telemetry, locks=edge.unlocked, linked=edge.unlinked, audit=RecordingAudit())(
        event(), None
    )
    assert told["statusCode"] == 500
    assert CANARY not in json.dumps(told)
    assert CANARY not in repr(telemetry)
    assert telemetry.lines[0].fields["error_type"] == "ZeroDivisionError"


@pytest.mark.parametrize(
    ("path", "about"),
    [
        ({"company_id": "acme", "user_id": "lena=2F2"}, stand_in(UserKey("acme", "lena/2"))),
        ({"company_id": "acme", "user_id": "lena/2"}, None),
        ({"company_id": "acme"}, None),
        (None, None),
    ],
)
def test_what_is_logged_of_a_request_says_whom_its_path_names(path: dict[str, str] | None, about: str | None) -> None:
    telemetry = RecordingTelemetry()

    def fail(_: Request) -> Answer:
        raise errors.StoreUnavailable("x")

    edge.http({ROUTE: fail}, telemetry, locks=edge.unlocked, linked=edge.unlinked, audit=RecordingAudit())(
        event(pathParameters=path), None
    )
    telemetry.event("afterwards")
    assert [line.fields.get("user") for line in telemetry.lines] == [about, None]


def test_a_refusal_names_the_field_to_the_caller_and_to_the_log() -> None:
    telemetry = RecordingTelemetry()

    def refuse(_: Request) -> Answer:
        raise errors.InvalidInput("space_id", "must be given")

    told = edge.http({ROUTE: refuse}, telemetry, locks=edge.unlocked, linked=edge.unlinked, audit=RecordingAudit())(
        event(), None
    )
    assert json.loads(told["body"])["field"] == "space_id"
    assert told["headers"]["x-request-id"] == "r-1"
    assert [(line.level, line.fields["field"]) for line in telemetry.lines] == [("info", "space_id")]


def test_a_refused_token_is_told_which_claim_and_so_is_the_log() -> None:
    telemetry = RecordingTelemetry()

    def refuse(_: Request) -> Answer:
        raise errors.ClaimRefused("company_id", "must name one company")

    told = edge.http({ROUTE: refuse}, telemetry, locks=edge.unlocked, linked=edge.unlinked, audit=RecordingAudit())(
        event(), None
    )
    problem_document = json.loads(told["body"])
    assert told["statusCode"] == 403
    assert (problem_document["claim"], problem_document["detail"]) == ("company_id", "must name one company")
    assert telemetry.lines[0].fields["claim"] == "company_id"


def test_claims_are_those_that_the_gateway_has_checked() -> None:
    checked = {"requestId": "r-1", "authorizer": {"jwt": {"claims": {"sub": "lena"}, "scopes": None}}}
    assert Request.of(event(requestContext=checked)).claims == {"sub": "lena"}
    assert "lena" not in repr(Request.of(event(requestContext=checked)))
    signed = {"requestId": "r-1", "authorizer": {"iam": {"userArn": "arn"}}}
    assert Request.of(event(requestContext=signed)).claims == {}
    assert Request.of(event()).claims == {}


def test_a_successful_answer_carries_the_request_id_and_is_never_cached() -> None:
    told = edge.http(
        {ROUTE: lambda _: answer(200, {"ä": 1})},
        RecordingTelemetry(),
        locks=edge.unlocked,
        linked=edge.unlinked,
        audit=RecordingAudit(),
    )(event(), None)
    assert told["body"] == '{"ä":1}'
    assert told["headers"] == {
        "cache-control": "no-store",
        "content-type": "application/json",
        "x-request-id": "r-1",
    }


def test_a_body_in_base64_is_decoded_and_one_that_is_none_is_refused() -> None:
    encoded = base64.b64encode("ä".encode()).decode()
    assert Request.of(event(body=encoded, isBase64Encoded=True)).body == "ä".encode()
    with pytest.raises(errors.InvalidInput):
        Request.of(event(body="ä!", isBase64Encoded=True))
    with pytest.raises(errors.InvalidInput):
        Request.of(event(body="\ud800"))


def test_header_names_are_read_in_any_case() -> None:
    assert Request.of(event(headers={"If-None-Match": '"x"'})).headers["if-none-match"] == '"x"'


@pytest.mark.parametrize(("value", "flag"), [("true", True), ("false", False)])
def test_a_flag_is_true_or_false(value: str, flag: bool) -> None:  # noqa: FBT001 - what is tested
    assert Request.of(event(queryStringParameters={"web_search": value})).flag("web_search") is flag
    assert Request.of(event()).flag("web_search") is None


@pytest.mark.parametrize("value", ["", "1", "True", "yes"])
def test_a_flag_of_another_value_is_refused(value: str) -> None:
    with pytest.raises(errors.InvalidInput):
        Request.of(event(queryStringParameters={"web_search": value})).flag("web_search")


@pytest.mark.parametrize(("value", "number"), [(None, 20), ("1", 1), ("100", 100), ("007", 7)])
def test_a_number_is_one_of_those_that_are_allowed(value: str | None, number: int) -> None:
    query = {} if value is None else {"limit": value}
    assert Request.of(event(queryStringParameters=query)).number("limit", otherwise=20, most=100) == number


@pytest.mark.parametrize("value", ["", "0", "101", "-1", "+1", "1.0", " 1", "1e1", "\u0661", "9" * 5000])
def test_a_number_of_another_kind_is_refused(value: str) -> None:
    with pytest.raises(errors.InvalidInput) as refused:
        Request.of(event(queryStringParameters={"limit": value})).number("limit", otherwise=20, most=100)
    assert refused.value.field == "limit"


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        (None, set()),
        ('"a"', {'"a"'}),
        ('W/"a"', {'"a"'}),
        ('"a", W/"b"', {'"a"', '"b"'}),
        ("", set()),
    ],
)
def test_validators_are_read_from_a_list_weak_ones_too(header: str | None, tags: set[str]) -> None:
    assert etags(header) == tags


def recorded(locks: Callable[[Request], None] = edge.unlocked, **changes: Any) -> tuple[Answer, Access]:  # noqa: ANN401 - any JSON
    """The answer to a call on a user's memory, and what the audit is told of it."""
    audit = RecordingAudit()
    handle = edge.http(
        {ROUTE: lambda _: answer(200, {"said": CANARY})},
        RecordingTelemetry(),
        locks=locks,
        linked=edge.unlinked,
        audit=audit,
    )
    iam = {"iam": {"accountId": "123456789012", "userArn": ROLE_ARN}}
    usual = {
        "pathParameters": {"company_id": "acme", "user_id": "lena=2F2"},
        "requestContext": {"requestId": "r-1", "authorizer": iam},
    }
    told = handle(event(**usual | changes), None)
    (record,) = audit.records
    return told, record


def test_the_audit_is_told_who_reached_for_whose_memory_and_what_they_were_answered() -> None:
    _, record = recorded()
    assert record == Access(
        route=ROUTE,
        status=200,
        request_id="r-1",
        caller=ROLE_ARN,
        company_id="acme",
        user=UserKey("acme", "lena/2"),
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [(errors.CallerNotPinned("x"), 403), (errors.UserTokenRequired("x"), 401), (ZeroDivisionError("x"), 500)],
)
def test_calls_that_were_refused_or_failed_are_recorded_too(error: Exception, status: int) -> None:
    def refuse(_: Request) -> None:
        raise error

    told, record = recorded(refuse)
    assert (record.status, record.caller, record.user) == (told["statusCode"], ROLE_ARN, UserKey("acme", "lena/2"))
    assert record.status == status


def test_a_body_that_cannot_be_read_is_recorded() -> None:
    told, record = recorded(body="ä!", isBase64Encoded=True)
    assert told["statusCode"] == record.status == 422
    assert record.user == UserKey("acme", "lena/2")


@pytest.mark.parametrize(
    ("path", "company_id"),
    [
        ({"company_id": "acme", "user_id": "no id"}, "acme"),
        ({"company_id": "acme"}, "acme"),
        ({"company_id": f"{CANARY} ", "user_id": "lena"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_what_names_no_company_or_user_is_not_copied_into_the_audit(path: object, company_id: str | None) -> None:
    _, record = recorded(pathParameters=path)
    assert (record.company_id, record.user) == (company_id, None)


@pytest.mark.parametrize(
    ("authorizer", "caller"), [({"jwt": {"claims": {"sub": CANARY}}}, "user"), ({}, "unknown"), (None, "unknown")]
)
def test_users_themselves_and_unknown_callers_have_no_name_in_the_audit(authorizer: object, caller: str) -> None:
    _, record = recorded(requestContext={"requestId": "r-1", "authorizer": authorizer})
    assert record.caller == caller


def test_the_validator_of_a_profile_is_read_back_whatever_else_it_says() -> None:
    assert expected_profiles(f"{profile_etag((2, 17))}, {profile_etag((3, 1), 'a1b2')}") == frozenset({(2, 17), (3, 1)})


@pytest.mark.parametrize("header", ["", "*", 'W/"2-17"', '"2-17', '"x-1"', '"2"', '"-1-2"', '"1-2-X!"'])
def test_what_is_no_validator_of_a_profile_matches_none(header: str) -> None:
    assert expected_profiles(header) == frozenset()


def test_without_if_match_nothing_is_expected() -> None:
    assert expected_profiles(None) is None


@pytest.mark.parametrize(
    "document",
    [
        {"memory": "x", "canary_4711": 1},
        {"sections": [{"heading": "Identity", "bullets": [], "canary_4711": 1}]},
        {"memory": "x", "a canary-4711 that is no name": 1},
    ],
)
def test_a_field_that_the_caller_has_made_up_is_told_to_them_and_never_logged(document: dict[str, object]) -> None:
    telemetry = RecordingTelemetry()

    def ask(request: Request) -> Answer:
        EditBody.parse(request.body)
        return answer(200)

    handle = edge.http({ROUTE: ask}, telemetry, locks=edge.unlocked, linked=edge.unlinked, audit=RecordingAudit())
    told = handle(event(body=json.dumps(document)), None)
    assert told["statusCode"] == 422
    assert "(unknown field)" in repr(telemetry)
    assert "4711" not in repr(telemetry)
