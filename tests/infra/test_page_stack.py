"""The page's stack: private files behind CloudFront, and the headers that the local server sends, too."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from aws_cdk import App
from aws_cdk.assertions import Template

from infra.environments import DEV, LOCAL
from infra.environments.parts import Page
from infra.nag.acknowledged import acknowledged
from infra.nag.checks import Finding, findings
from infra.page.headers import headers
from tests.infra.templates import ACCOUNT, REGION, WITH_A_PAGE, Templates, stacks_of, synthesise
from tests.infra.test_template_lint import complaints

if TYPE_CHECKING:
    from pathlib import Path

    from infra.environments import Environment

PAGE = WITH_A_PAGE.page
assert PAGE is not None
UNNAMED = replace(WITH_A_PAGE, page=replace(PAGE, domain=None, certificate=None))
API = f"https://{{{{resolve:ssm:/context-memory/dev/api-id}}}}.execute-api.{REGION}.amazonaws.com"


@pytest.fixture(scope="module")
def templates(code_folder: Path) -> Templates:
    return synthesise(WITH_A_PAGE, code_folder)


def only(templates: Templates, kind: str) -> dict[str, Any]:
    (properties,) = templates.resources(kind, "page").values()
    return properties


def told(policy: dict[str, Any]) -> dict[str, str]:
    """The headers of a response headers policy, as CloudFront would send them."""
    security = policy["SecurityHeadersConfig"]
    hsts = security["StrictTransportSecurity"]
    assert security["ContentTypeOptions"]["Override"]
    return {
        "content-security-policy": security["ContentSecurityPolicy"]["ContentSecurityPolicy"],
        "strict-transport-security": f"max-age={hsts['AccessControlMaxAgeSec']}"
        + ("; includeSubDomains" if hsts["IncludeSubdomains"] else ""),
        "x-content-type-options": "nosniff",
        "x-frame-options": security["FrameOptions"]["FrameOption"],
        "referrer-policy": security["ReferrerPolicy"]["ReferrerPolicy"],
        **{item["Header"]: item["Value"] for item in policy["CustomHeadersConfig"]["Items"]},
    }


def test_cloudfront_sends_the_headers_that_the_local_server_sends(templates: Templates) -> None:
    policy = only(templates, "AWS::CloudFront::ResponseHeadersPolicy")["ResponseHeadersPolicyConfig"]

    origins = ["https://issuer.example", "https://sign-in.example"]
    assert told(policy) == headers(api_origin=API, sign_in_origins=origins)


def test_nobody_but_the_pages_own_distribution_reads_the_bucket(templates: Templates) -> None:
    bucket = only(templates, "AWS::S3::Bucket")
    statements = only(templates, "AWS::S3::BucketPolicy")["PolicyDocument"]["Statement"]

    assert all(bucket["PublicAccessBlockConfiguration"].values())
    assert "WebsiteConfiguration" not in bucket
    (allowed,) = (statement for statement in statements if statement["Effect"] == "Allow")
    assert allowed["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    assert allowed["Action"] == "s3:GetObject"
    (source,) = allowed["Condition"]["StringEquals"].values()
    assert source.startswith(f"arn:aws:cloudfront::{ACCOUNT}:distribution/<SiteDistribution")


def test_the_page_is_served_over_new_tls_under_its_own_name(templates: Templates) -> None:
    distribution = only(templates, "AWS::CloudFront::Distribution")["DistributionConfig"]

    assert distribution["Aliases"] == ["memory.example"]
    assert distribution["ViewerCertificate"]["MinimumProtocolVersion"] == "TLSv1.2_2021"
    assert distribution["DefaultCacheBehavior"]["ViewerProtocolPolicy"] == "redirect-to-https"
    assert distribution["DefaultCacheBehavior"]["AllowedMethods"] == ["GET", "HEAD"]
    (origin,) = distribution["Origins"]
    assert origin["OriginAccessControlId"]


def test_files_are_asked_about_anew_and_old_ones_go(templates: Templates) -> None:
    files = only(templates, "Custom::CDKBucketDeployment")

    assert files["SystemMetadata"] == {"cache-control": "no-cache"}
    assert files["Prune"] is True
    assert json.dumps(API) in json.dumps(files["SourceMarkers"][1]).replace('\\"', '"')


def test_browsers_may_call_the_api_from_the_page(templates: Templates) -> None:
    (api,) = templates.resources("AWS::ApiGatewayV2::Api").values()

    assert api["CorsConfiguration"]["AllowOrigins"] == ["https://memory.example"]


@pytest.mark.parametrize("environment", [DEV, LOCAL])
def test_there_is_no_stack_where_no_page_is_named_or_the_emulator_would_serve_it(
    code_folder: Path, environment: Environment
) -> None:
    assert "page" not in stacks_of(App(), environment, code_folder)


@pytest.mark.parametrize("environment", [WITH_A_PAGE, UNNAMED])
def test_what_cdk_nag_finds_on_the_page_is_acknowledged_and_no_more(
    code_folder: Path, environment: Environment
) -> None:
    stacks = {"page": stacks_of(App(), environment, code_folder)["page"]}

    explained = {Finding(entry.rule, entry.at) for entry in acknowledged(environment) if entry.at.startswith("page/")}
    assert sorted(findings(stacks)) == sorted(explained)


@pytest.mark.parametrize("environment", [WITH_A_PAGE, UNNAMED])
def test_cfn_lint_has_nothing_to_say_of_the_page(code_folder: Path, tmp_path: Path, environment: Environment) -> None:
    file = tmp_path / "page.template.json"
    file.write_text(json.dumps(Template.from_stack(stacks_of(App(), environment, code_folder)["page"]).to_json()))

    assert complaints(file) == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"client_id": "two words"}, "client_id"),
        ({"domain": "memory.example"}, "come together"),
        ({"domain": "Memory.Example", "certificate": "arn:aws:acm:us-east-1:1:certificate/x"}, "domain must be"),
        ({"domain": "memory.example", "certificate": "arn:aws:acm:eu-central-1:1:certificate/x"}, "us-east-1"),
        ({"sign_in_origins": ("https://sign-in.example/path",)}, "sign_in_origins"),
    ],
)
def test_a_page_that_could_not_be_served_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Page(**{"client_id": "page", **wrong})


def test_a_page_without_anybody_who_signs_users_in_is_refused() -> None:
    with pytest.raises(ValueError, match="oidc"):
        replace(DEV, page=Page(client_id="page"))
