"""The gateway: which routes there are, who may call them, how often, and what is logged of it."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest

from infra.components.routes import ROUTES, Callers
from infra.environments import DEV, LOCAL
from infra.environments.local import ISSUER
from infra.environments.parts import Cors, Throttle, Throttles
from tests.infra.templates import WITH_USERS, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

FUNCTIONS = {route.key: route.function for route in ROUTES}
"""Those that the gateway has; test_described_routes.py holds them against handlers and description."""
# What names a person, what a person asked for, and where a person sits.
PERSONAL = ("path", "querystring", "header", "claims", "jwt", "sourceIp", "userAgent", "cognito", "domainName")


@pytest.fixture(scope="module")
def throttled(code_folder: Path) -> Templates:
    """Every throttle of its own size."""
    throttles = Throttles(
        **{one.name: Throttle(rate=10 + number, burst=20 + number) for number, one in enumerate(fields(Throttles))}
    )
    return synthesise(replace(WITH_USERS, throttles=throttles), code_folder)


@pytest.fixture(scope="module")
def plain(code_folder: Path) -> Templates:
    """An environment that believes no issuer."""
    return synthesise(DEV, code_folder)


def routes(templates: Templates) -> dict[str, dict[str, Any]]:
    return templates.named("AWS::ApiGatewayV2::Route", "RouteKey")


def stage(templates: Templates) -> dict[str, Any]:
    (found,) = templates.resources("AWS::ApiGatewayV2::Stage").values()
    return found


def api(templates: Templates) -> dict[str, Any]:
    (found,) = templates.resources("AWS::ApiGatewayV2::Api").values()
    return found


def test_the_api_has_exactly_these_routes(dev: Templates) -> None:
    assert set(routes(dev)) == set(FUNCTIONS)


def test_no_route_is_greedy_and_none_takes_what_is_left() -> None:
    assert not [route.key for route in ROUTES if "+" in route.path or route.path == "$default" or route.method == "ANY"]
    assert len({route.key for route in ROUTES}) == len(ROUTES)


def test_a_route_of_companies_is_behind_iam_a_route_of_users_behind_their_token_and_one_open(dev: Templates) -> None:
    (authorizer,) = dev.resources("AWS::ApiGatewayV2::Authorizer")
    for key, route in routes(dev).items():
        if "/v1/me/" in key:
            assert (route["AuthorizationType"], route["AuthorizerId"]) == ("JWT", f"<{authorizer}>")
            reading = ["memory", "memory:change"] if key.startswith("GET ") else ["memory:change"]
            assert route["AuthorizationScopes"] == (["memory:export"] if key == "GET /v1/me/export" else reading)
        elif key == "GET /v1/openapi.json":
            assert (route["AuthorizationType"], "AuthorizerId" in route) == ("NONE", False)
        else:
            assert "/v1/companies/{company_id}" in key
            assert (route["AuthorizationType"], "AuthorizerId" in route) == ("AWS_IAM", False)


def test_tokens_are_taken_from_the_header_alone_and_believed_of_one_issuer_for_mapped_audiences(
    dev: Templates,
) -> None:
    (authorizer,) = dev.resources("AWS::ApiGatewayV2::Authorizer").values()
    assert authorizer["AuthorizerType"] == "JWT"
    assert authorizer["IdentitySource"] == ["$request.header.Authorization"]
    assert authorizer["JwtConfiguration"] == {"Issuer": "https://issuer.example", "Audience": ["acme-app"]}


def test_the_local_issuers_address_is_filled_in_wherever_it_stands(code_folder: Path) -> None:
    templates = synthesise(LOCAL, code_folder)
    functions = templates.named("AWS::Lambda::Function", "FunctionName")
    body = json.dumps(templates.by_concern)

    (authorizer,) = templates.resources("AWS::ApiGatewayV2::Authorizer").values()
    assert authorizer["JwtConfiguration"]["Issuer"] == ISSUER
    told = json.loads(functions["context-memory-local-account"]["Environment"]["Variables"]["OIDC"])
    assert told["issuer"] == ISSUER
    # What replaces it is an address too, and must not change what else begins so.
    assert body.count(ISSUER) == body.count(f'{ISSUER}"') + body.count(f'{ISSUER}\\"')


def test_without_an_issuer_there_are_no_routes_of_users(plain: Templates) -> None:
    assert set(routes(plain)) == {key for key in FUNCTIONS if "/v1/me/" not in key}
    assert not plain.resources("AWS::ApiGatewayV2::Authorizer")
    assert set(stage(plain)["RouteSettings"]) == set(routes(plain))


def test_each_route_leads_to_its_function_and_the_gateway_may_call_it(dev: Templates) -> None:
    integrations = dev.resources("AWS::ApiGatewayV2::Integration")
    functions = {
        properties["FunctionName"]: f"<{logical_id}>"
        for logical_id, properties in dev.resources("AWS::Lambda::Function").items()
    }
    permissions = {
        (permission["FunctionName"], permission["SourceArn"].split("/", 1)[1])
        for permission in dev.resources("AWS::Lambda::Permission").values()
        if permission["Principal"] == "apigateway.amazonaws.com"
    }

    for key, route in routes(dev).items():
        target = integrations[route["Target"].removeprefix("integrations/").strip("<>")]
        wanted = functions[f"context-memory-dev-{FUNCTIONS[key]}"]
        assert target["IntegrationUri"] == wanted
        assert target["PayloadFormatVersion"] == "2.0"
        assert (wanted, f"*/*{key.split(' ')[1]}") in permissions
    # One for each path that a function answers, whatever the methods.
    assert len(permissions) == len({(function, key.split(" ")[1]) for key, function in FUNCTIONS.items()})


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.key)
def test_each_route_has_the_throttle_of_its_group(throttled: Templates, route: Any) -> None:  # noqa: ANN401 - a Route
    number = [one.name for one in fields(Throttles)].index(route.throttle)
    limit = stage(throttled)["RouteSettings"][route.key]
    assert (limit["ThrottlingRateLimit"], limit["ThrottlingBurstLimit"]) == (10 + number, 20 + number)


def test_routes_share_a_throttle_only_within_their_group() -> None:
    for route in ROUTES:
        if route.callers is Callers.USERS:
            assert route.throttle == ("changes" if route.changes else "me"), route.key
        else:
            assert route.throttle not in {"me", "changes"}, route.key
        assert (route.throttle == "docs") == (route.callers is Callers.ANYBODY), route.key
    assert {route.throttle for route in ROUTES if route.function == "load"} == {"load"}


def test_a_route_without_a_throttle_of_its_own_would_get_the_tightest(throttled: Templates) -> None:
    rates = [limit["ThrottlingRateLimit"] for limit in stage(throttled)["RouteSettings"].values()]
    assert stage(throttled)["DefaultRouteSettings"]["ThrottlingRateLimit"] == min(rates)


def test_throttles_are_set_once_their_routes_are_there(dev: Templates) -> None:
    (deployed,) = [one for one in dev.raw("service").values() if one["Type"] == "AWS::ApiGatewayV2::Stage"]
    built = {name for name, one in dev.raw("service").items() if one["Type"] == "AWS::ApiGatewayV2::Route"}
    assert built <= set(deployed["DependsOn"])
    assert (deployed["Properties"]["StageName"], deployed["Properties"]["AutoDeploy"]) == ("$default", True)


def test_the_access_log_says_how_a_request_went_and_nothing_about_a_person(dev: Templates) -> None:
    settings = stage(dev)["AccessLogSettings"]
    logged = json.loads(settings["Format"])

    assert {logged["request_id"], logged["route"], logged["status"], logged["latency_ms"]} == {
        "$context.requestId",
        "$context.routeKey",
        "$context.status",
        "$context.responseLatency",
    }
    assert {"integration_error", "caller", "caller_account"} <= set(logged)
    for value in logged.values():
        assert value.startswith("$context.")
        assert not [word for word in PERSONAL if word.lower() in value.lower()], value
    groups = dev.resources("AWS::Logs::LogGroup")
    group = groups[settings["DestinationArn"].strip("<>")]
    assert (group["LogGroupName"], group["RetentionInDays"]) == ("/aws/vendedlogs/context-memory-dev-access", 14)


def test_browsers_are_let_in_only_where_the_environment_says_so(dev: Templates) -> None:
    assert "CorsConfiguration" not in api(dev)


def test_a_browser_may_do_what_users_may_and_sign_nothing(code_folder: Path) -> None:
    origins = ("https://app.acme.example",)
    cors = api(synthesise(replace(WITH_USERS, cors=Cors(origins=origins)), code_folder))["CorsConfiguration"]

    assert cors["AllowOrigins"] == ["https://app.acme.example"]
    assert cors["AllowMethods"] == ["GET", "PUT", "POST", "DELETE"]
    # A request that IAM signs carries x-amz-date.
    assert cors["AllowHeaders"] == ["authorization", "content-type", "if-match", "if-none-match"]
    assert {"etag", "location", "content-disposition", "retry-after", "x-request-id"} <= set(cors["ExposeHeaders"])
    assert not cors.get("AllowCredentials")


def test_origins_without_users_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="browsers call the routes of end users alone"):
        replace(DEV, cors=Cors(origins=("https://app.acme.example",)))
