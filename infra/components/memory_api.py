"""The HTTP API: exactly the routes there are, each behind an authorizer and a throttle of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from aws_cdk import Duration, aws_apigatewayv2, aws_apigatewayv2_authorizers, aws_apigatewayv2_integrations
from constructs import Construct

from infra.components.access_log import FORMAT
from infra.components.routes import Callers, routes_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aws_cdk import aws_lambda, aws_logs

    from infra.components.routes import Route
    from infra.environments import Environment
    from infra.environments.parts import Oidc, Throttle

# What a browser needs for `/v1/me`, and no more: a request that IAM signs carries headers that are not among these.
_FROM_BROWSERS = ("authorization", "content-type", "if-match", "if-none-match")
_BY_BROWSERS = ("GET", "PUT", "POST", "DELETE")
_TO_BROWSERS = (
    *("etag", "location", "retry-after", "x-request-id", "content-disposition"),
    *("x-memory-pending", "x-memory-failed", "x-memory-consolidated-through"),
)


class MemoryApi(Construct):
    """Company and user are path segments, so that an IAM policy on the path confines a caller to a company.

    Routes of end users name neither: both come from the claims of a token that the gateway has checked.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        environment: Environment,
        functions: Mapping[str, aws_lambda.IFunction],
        access_log: aws_logs.ILogGroup,
    ) -> None:
        super().__init__(scope, construct_id)
        self._throttles, oidc = environment.throttles, environment.oidc
        self._by_iam = aws_apigatewayv2_authorizers.HttpIamAuthorizer()
        self._by_token = _token_authorizer(oidc) if oidc else None
        self._by_nobody = aws_apigatewayv2.HttpNoneAuthorizer()
        self._oidc = oidc
        self.api = aws_apigatewayv2.HttpApi(
            self,
            "Api",
            api_name=name,
            create_default_stage=False,
            # What nobody thought of is closed.
            default_authorizer=self._by_iam,
            cors_preflight=_cors(environment.origins),
        )
        integrations = {
            name: aws_apigatewayv2_integrations.HttpLambdaIntegration(name.title(), function)
            for name, function in functions.items()
        }
        routes = routes_of(environment)
        built = [part for route in routes for part in self._add(route, integrations[route.function])]
        stage = self._stage(routes, access_log)
        # The settings of a route are refused while there is no such route.
        stage.node.add_dependency(*built)

    def _add(
        self, route: Route, integration: aws_apigatewayv2.HttpRouteIntegration
    ) -> list[aws_apigatewayv2.HttpRoute]:
        methods = [aws_apigatewayv2.HttpMethod(route.method)]
        return self.api.add_routes(
            path=route.path,
            methods=methods,
            integration=integration,
            authorizer=self._authorizer(route.callers),
            authorization_scopes=self._scopes(route),
        )

    def _authorizer(self, callers: Callers) -> aws_apigatewayv2.IHttpRouteAuthorizer | None:
        return {Callers.IAM: self._by_iam, Callers.USERS: self._by_token, Callers.ANYBODY: self._by_nobody}[callers]

    def _scopes(self, route: Route) -> list[str] | None:
        """Those of which a token needs one."""
        if route.callers is not Callers.USERS or self._oidc is None:
            return None
        if route.exports:
            return [self._oidc.export_scope]
        return [self._oidc.change_scope] if route.changes else [self._oidc.scope, self._oidc.change_scope]

    def _stage(self, routes: Sequence[Route], access_log: aws_logs.ILogGroup) -> aws_apigatewayv2.HttpStage:
        limits: dict[str, Throttle] = {route.key: getattr(self._throttles, route.throttle) for route in routes}
        tightest = min(limits.values(), key=lambda throttle: throttle.rate)
        stage = aws_apigatewayv2.HttpStage(
            self,
            "Stage",
            http_api=self.api,
            stage_name="$default",
            auto_deploy=True,
            throttle=aws_apigatewayv2.ThrottleSettings(rate_limit=tightest.rate, burst_limit=tightest.burst),
        )
        resource = cast("aws_apigatewayv2.CfnStage", stage.node.default_child)
        resource.route_settings = {
            key: {"ThrottlingRateLimit": throttle.rate, "ThrottlingBurstLimit": throttle.burst}
            for key, throttle in limits.items()
        }
        resource.access_log_settings = aws_apigatewayv2.CfnStage.AccessLogSettingsProperty(
            destination_arn=access_log.log_group_arn, format=FORMAT
        )
        return stage


def _token_authorizer(oidc: Oidc) -> aws_apigatewayv2.IHttpRouteAuthorizer:
    """Believes access tokens of the one issuer, for the audiences that are mapped to companies."""
    return aws_apigatewayv2_authorizers.HttpJwtAuthorizer(
        "Users", oidc.issuer, jwt_audience=sorted(oidc.audiences), identity_source=["$request.header.Authorization"]
    )


def _cors(origins: Sequence[str]) -> aws_apigatewayv2.CorsPreflightOptions | None:
    if not origins:
        return None
    return aws_apigatewayv2.CorsPreflightOptions(
        allow_origins=list(origins),
        allow_methods=[aws_apigatewayv2.CorsHttpMethod(method) for method in _BY_BROWSERS],
        allow_headers=list(_FROM_BROWSERS),
        expose_headers=list(_TO_BROWSERS),
        allow_credentials=False,
        max_age=Duration.hours(1),
    )
