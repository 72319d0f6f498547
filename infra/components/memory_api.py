"""The HTTP API: exactly the routes there are, each behind IAM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_apigatewayv2, aws_apigatewayv2_authorizers, aws_apigatewayv2_integrations
from constructs import Construct

if TYPE_CHECKING:
    from aws_cdk import aws_lambda

_USER = "/v1/companies/{company_id}/users/{user_id}"


class MemoryApi(Construct):
    """Company and user are path segments, so that an IAM policy on the path confines a caller to a company.

    There is no greedy and no `$default` route: such a policy would say less than it seems to.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        load: aws_lambda.IFunction,
        ingest: aws_lambda.IFunction,
        requests_per_second: int,
        burst: int,
    ) -> None:
        super().__init__(scope, construct_id)
        self.api = aws_apigatewayv2.HttpApi(
            self,
            "Api",
            api_name=name,
            create_default_stage=False,
            default_authorizer=aws_apigatewayv2_authorizers.HttpIamAuthorizer(),
        )
        loading = aws_apigatewayv2_integrations.HttpLambdaIntegration("Load", load)
        ingesting = aws_apigatewayv2_integrations.HttpLambdaIntegration("Ingest", ingest)
        get, post = aws_apigatewayv2.HttpMethod.GET, aws_apigatewayv2.HttpMethod.POST
        self.api.add_routes(path=f"{_USER}/memory", methods=[get], integration=loading)
        self.api.add_routes(path=f"{_USER}/turns", methods=[post], integration=ingesting)
        self.api.add_routes(path=f"{_USER}/turns/{{turn_id}}", methods=[get], integration=ingesting)
        aws_apigatewayv2.HttpStage(
            self,
            "Stage",
            http_api=self.api,
            stage_name="$default",
            auto_deploy=True,
            throttle=aws_apigatewayv2.ThrottleSettings(rate_limit=requests_per_second, burst_limit=burst),
        )
