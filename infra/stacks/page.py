"""Where users see to their memory: a static page of its own, which holds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnDynamicReference, CfnDynamicReferenceService, CfnOutput
from aws_cdk import aws_s3_deployment as deployment

from infra.components.static_site import StaticSite
from infra.page.configuration import configuration, origin
from infra.page.files import CONFIGURATION, FOLDER
from infra.page.headers import headers
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.environments.parts import Oidc, Page
    from infra.names import Names

PAGE_OUTPUT = "PageAddress"


class PageStack(EnvironmentStack):
    """The page of an environment, and whom it talks to: the API and whoever signs users in."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        environment: Environment,
        names: Names,
        page: Page,
        oidc: Oidc,
    ) -> None:
        super().__init__(scope, construct_id, environment=environment, description="settings page of users")
        api_id = CfnDynamicReference(CfnDynamicReferenceService.SSM, names.api_id_parameter).to_string()
        api_origin = f"https://{api_id}.execute-api.{self.region}.{self.url_suffix}"
        known = configuration(page, oidc, api_url=api_origin, issuer=oidc.issuer)
        site = StaticSite(
            self,
            "Site",
            names=names,
            page=page,
            sources=[
                deployment.Source.asset(str(FOLDER)),
                deployment.Source.json_data(CONFIGURATION, known),
            ],
            headers=headers(api_origin=api_origin, sign_in_origins=[origin(oidc.issuer), *page.sign_in_origins]),
        )
        CfnOutput(self, PAGE_OUTPUT, value=f"https://{page.domain or site.distribution.distribution_domain_name}/")
