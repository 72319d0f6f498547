"""A table of items under `pk` and `sk`."""

from __future__ import annotations

from aws_cdk import RemovalPolicy, aws_dynamodb, aws_kms
from constructs import Construct

EXPIRY_ATTRIBUTE = "expires_at"
RECOVERY_DAYS = 35
"""How far a table can be set back: what was deleted is gone for good that much later. Receipts of erasures tell it."""


class ItemTable(Construct):
    """On demand, encrypted with the environment's key, restorable to any second; items may carry an expiry."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        key: aws_kms.IKey,
        deletion_protection: bool,
        removal_policy: RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        self.table = aws_dynamodb.Table(
            self,
            "Table",
            table_name=name,
            partition_key=aws_dynamodb.Attribute(name="pk", type=aws_dynamodb.AttributeType.STRING),
            sort_key=aws_dynamodb.Attribute(name="sk", type=aws_dynamodb.AttributeType.STRING),
            billing_mode=aws_dynamodb.BillingMode.PAY_PER_REQUEST,
            encryption=aws_dynamodb.TableEncryption.CUSTOMER_MANAGED,
            encryption_key=key,
            point_in_time_recovery_specification=aws_dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True, recovery_period_in_days=RECOVERY_DAYS
            ),
            time_to_live_attribute=EXPIRY_ATTRIBUTE,
            deletion_protection=deletion_protection,
            removal_policy=removal_policy,
        )
