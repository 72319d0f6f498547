"""A folder of files on the web: a private bucket that CloudFront alone reads, over TLS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_certificatemanager, aws_cloudfront, aws_cloudfront_origins, aws_s3
from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from infra.components.statement_names import name_statements
from infra.page.headers import CACHE_CONTROL, HSTS_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from infra.environments.parts import Page
    from infra.names import Names

_SECURITY = frozenset(
    {
        "content-security-policy",
        "strict-transport-security",
        "x-content-type-options",
        "x-frame-options",
        "referrer-policy",
    }
)
"""Headers that CloudFront has fields of its own for, and refuses among the others."""


class StaticSite(Construct):
    """The bucket holds what anybody may read, and nothing else, so that it goes with the stack.

    `headers`: of every answer, as `infra.page.headers` names them.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        page: Page,
        sources: Sequence[deployment.ISource],
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(scope, construct_id)
        bucket = aws_s3.Bucket(
            self,
            "Bucket",
            bucket_name=names.bucket("page"),
            # Everybody may read the files: a key of ours would protect nothing.
            encryption=aws_s3.BucketEncryption.S3_MANAGED,
            block_public_access=aws_s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=aws_s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            removal_policy=RemovalPolicy.DESTROY,
        )
        self.distribution = aws_cloudfront.Distribution(
            self,
            "Distribution",
            comment=names.plain("page"),
            default_root_object="index.html",
            default_behavior=aws_cloudfront.BehaviorOptions(
                origin=aws_cloudfront_origins.S3BucketOrigin.with_origin_access_control(bucket),
                viewer_protocol_policy=aws_cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
                allowed_methods=aws_cloudfront.AllowedMethods.ALLOW_GET_HEAD,
                cache_policy=aws_cloudfront.CachePolicy.CACHING_OPTIMIZED,
                response_headers_policy=self._response_headers(names.plain("page"), headers),
            ),
            domain_names=[page.domain] if page.domain else None,
            certificate=aws_certificatemanager.Certificate.from_certificate_arn(self, "Certificate", page.certificate)
            if page.certificate
            else None,
            minimum_protocol_version=aws_cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
            http_version=aws_cloudfront.HttpVersion.HTTP2_AND_3,
            price_class=aws_cloudfront.PriceClass.PRICE_CLASS_100,
        )
        deployment.BucketDeployment(
            self,
            "Files",
            sources=list(sources),
            destination_bucket=bucket,
            distribution=self.distribution,
            cache_control=[deployment.CacheControl.from_string(CACHE_CONTROL)],
        )
        if bucket.policy is not None:  # which TLS and CloudFront need
            name_statements(bucket.policy, "PolicyDocument", ["TlsOnly", "NoOldTls", "CloudFront"])

    def _response_headers(self, name: str, headers: Mapping[str, str]) -> aws_cloudfront.ResponseHeadersPolicy:
        others = {header: value for header, value in headers.items() if header not in _SECURITY}
        return aws_cloudfront.ResponseHeadersPolicy(
            self,
            "Headers",
            response_headers_policy_name=name,
            security_headers_behavior=aws_cloudfront.ResponseSecurityHeadersBehavior(
                content_security_policy=aws_cloudfront.ResponseHeadersContentSecurityPolicy(
                    content_security_policy=headers["content-security-policy"], override=True
                ),
                strict_transport_security=aws_cloudfront.ResponseHeadersStrictTransportSecurity(
                    access_control_max_age=Duration.seconds(HSTS_SECONDS), include_subdomains=True, override=True
                ),
                content_type_options=aws_cloudfront.ResponseHeadersContentTypeOptions(override=True),
                frame_options=aws_cloudfront.ResponseHeadersFrameOptions(
                    frame_option=aws_cloudfront.HeadersFrameOption.DENY, override=True
                ),
                referrer_policy=aws_cloudfront.ResponseHeadersReferrerPolicy(
                    referrer_policy=aws_cloudfront.HeadersReferrerPolicy.NO_REFERRER, override=True
                ),
            ),
            custom_headers_behavior=aws_cloudfront.ResponseCustomHeadersBehavior(
                custom_headers=[
                    aws_cloudfront.ResponseCustomHeader(header=header, value=value, override=True)
                    for header, value in others.items()
                ]
            ),
        )
