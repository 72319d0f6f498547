"""AppConfig's part in the operator's switches: where the document lies, who checks it, and how a change spreads."""

from __future__ import annotations

import json

from aws_cdk import RemovalPolicy, aws_appconfig
from constructs import Construct

from infra.components.flags_document import CONTENT_TYPE, NOBODY, SCHEMA

_STEP_PERCENT = 20


class CompanyFlags(Construct):
    """One document for all companies, watched by one alarm.

    `gradual_name` reaches a fifth of the readers after each fifth of `rollout_minutes`, then waits as long again: an
    alarm that rings by then takes everything back. `immediate_name` is for emergencies.
    """

    def __init__(  # noqa: PLR0913 - keyword-only values of one document
        self,
        scope: Construct,
        construct_id: str,
        *,
        application_name: str,
        environment_name: str,
        profile_name: str,
        gradual_name: str,
        immediate_name: str,
        rollout_minutes: int,
        alarm_arn: str,
        alarm_role_arn: str,
        removal_policy: RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        self._application = aws_appconfig.CfnApplication(
            self, "Application", name=application_name, description="Which companies have a memory"
        )
        environment = aws_appconfig.CfnEnvironment(
            self,
            "Environment",
            application_id=self._application.ref,
            name=environment_name,
            monitors=[
                aws_appconfig.CfnEnvironment.MonitorsProperty(alarm_arn=alarm_arn, alarm_role_arn=alarm_role_arn)
            ],
        )
        profile = aws_appconfig.CfnConfigurationProfile(
            self,
            "Profile",
            application_id=self._application.ref,
            name=profile_name,
            location_uri="hosted",
            validators=[
                aws_appconfig.CfnConfigurationProfile.ValidatorsProperty(
                    type="JSON_SCHEMA", content=json.dumps(SCHEMA, separators=(",", ":"))
                )
            ],
        )
        gradual = self._strategy("Gradual", gradual_name, rollout_minutes)
        immediate = self._strategy("Immediate", immediate_name, 0)
        version = aws_appconfig.CfnHostedConfigurationVersion(
            self,
            "Nobody",
            application_id=self._application.ref,
            configuration_profile_id=profile.ref,
            content_type=CONTENT_TYPE,
            content=NOBODY,
            description="No company yet",
        )
        deployment = aws_appconfig.CfnDeployment(
            self,
            "First",
            application_id=self._application.ref,
            environment_id=environment.ref,
            configuration_profile_id=profile.ref,
            configuration_version=version.ref,
            deployment_strategy_id=immediate.ref,
            description="No company yet",
        )
        for resource in (self._application, environment, profile, gradual, immediate, version, deployment):
            resource.apply_removal_policy(removal_policy)
        # As policies name them, behind the part of an ARN that all of AppConfig has in common.
        self.application = f"application/{self._application.ref}"
        self.environment = f"{self.application}/environment/{environment.ref}"
        self.profile = f"{self.application}/configurationprofile/{profile.ref}"
        self.configuration = f"{self.environment}/configuration/{profile.ref}"
        self.strategies = [f"deploymentstrategy/{strategy.ref}" for strategy in (gradual, immediate)]

    def _strategy(self, construct_id: str, name: str, minutes: int) -> aws_appconfig.CfnDeploymentStrategy:
        return aws_appconfig.CfnDeploymentStrategy(
            self,
            construct_id,
            name=name,
            deployment_duration_in_minutes=minutes,
            growth_type="LINEAR",
            growth_factor=_STEP_PERCENT if minutes else 100,
            final_bake_time_in_minutes=minutes,
            replicate_to="NONE",
        )
