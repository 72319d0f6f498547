"""Physical names: the plain values that stacks, and the local environment, share instead of exports.

They follow from environment, account and region alone, so that no stack needs another's outputs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

FUNCTIONS = ("load", "ingest", "recall", "consolidate", "extract", "maintain", "account", "admin")
LANCE = "lance"
"""The function that is an image, and only where the environment has it."""
AUDIT_RECORDS, AUDIT_FAILED = "records/", "failed/"
"""Folders of the audit bucket: what was recorded, by hour of UTC, and what Firehose could not read."""
AUDITED = ("load", "ingest", "recall", "account", "admin")
"""Functions that people and orchestrators call; each that is deployed sends its audit records on."""
USER_DATA_ROLES = ("read", "recall", "write", "erase", "lister")
_VENDED = "/aws/vendedlogs/"
_LONGEST_COMPANY_IN_A_ROLE = 16  # characters; a role's name has 64, and environment and region take the rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names and ARNs of one environment in one account and region (tokens of the CDK are welcome)."""

    environment: str
    account: str
    region: str
    partition: str = "aws"

    def plain(self, what: str) -> str:
        """A name that is unique within account and region."""
        return f"context-memory-{self.environment}-{what}"

    @property
    def metrics_namespace(self) -> str:
        """Namespace of this environment's own metrics: account and region may hold several environments."""
        return f"ContextMemory/{self.environment}"

    def bucket(self, what: str) -> str:
        """A name that is unique in the world."""
        return f"{self.plain(what)}-{self.account}-{self.region}"

    def role(self, what: str) -> str:
        """A name that is unique within the account, whose roles know no region."""
        return f"context-memory-{self.environment}-{self.region}-{what}"

    def arn(self, service: str, resource: str) -> str:
        """ARN of a resource in this account and region."""
        return f"arn:{self.partition}:{service}:{self.region}:{self.account}:{resource}"

    @property
    def profile_bucket(self) -> str:
        """Bucket of the profiles."""
        return self.bucket("profiles")

    @property
    def work_bucket(self) -> str:
        """Bucket of what waits."""
        return self.bucket("work")

    @property
    def audit_bucket(self) -> str:
        """Bucket of the audit records."""
        return self.bucket("audit")

    @property
    def audit_stream(self) -> str:
        """Firehose stream that fills the audit bucket."""
        return self.plain("audit")

    def audit_filter(self, function: str) -> str:
        """Subscription that takes a function's audit records out of its log group."""
        return self.plain(f"{function}-audit")

    def bucket_arn(self, bucket: str) -> str:
        """ARN of a bucket."""
        return f"arn:{self.partition}:s3:::{bucket}"

    @property
    def user_table(self) -> str:
        """Table of users' state."""
        return self.plain("users")

    @property
    def company_table(self) -> str:
        """Table of companies, spaces and links."""
        return self.plain("companies")

    def table_arn(self, table: str) -> str:
        """ARN of a table."""
        return self.arn("dynamodb", f"table/{table}")

    @property
    def turns_queue(self) -> str:
        """Queue of doorbells."""
        return self.plain("turns.fifo")

    @property
    def dead_letter_queue(self) -> str:
        """Queue of doorbells and notices that were given up."""
        return self.plain("turns-dead.fifo")

    @property
    def facts_queue(self) -> str:
        """Queue of doorbells of turns whose facts are still to be extracted."""
        return self.plain("facts.fifo")

    @property
    def facts_dead_letter_queue(self) -> str:
        """Queue of those that were given up."""
        return self.plain("facts-dead.fifo")

    @property
    def jobs_queue(self) -> str:
        """Queue of jobs."""
        return self.plain("jobs")

    @property
    def dead_jobs_queue(self) -> str:
        """Queue of jobs that were given up."""
        return self.plain("jobs-dead")

    def queue_arn(self, queue: str) -> str:
        """ARN of a queue."""
        return self.arn("sqs", queue)

    @property
    def event_bus(self) -> str:
        """Bus on which news are told."""
        return f"context-memory-{self.environment}"

    @property
    def event_bus_arn(self) -> str:
        """ARN of the bus."""
        return self.arn("events", f"event-bus/{self.event_bus}")

    @property
    def receipts_key(self) -> str:
        """Alias of the key that signs receipts of erasures."""
        return f"alias/{self.plain('receipts')}"

    @property
    def hash_secret(self) -> str:
        """Secret that keys all hashes. A last part of six characters would read as the suffix AWS adds to an ARN."""
        return f"context-memory/{self.environment}/hashing"

    @property
    def model_key_secret(self) -> str:
        """Secret that holds the key of the model's endpoint."""
        return f"context-memory/{self.environment}/model-api"

    @property
    def embedding_key_secret(self) -> str:
        """Secret that holds the key of the embeddings' endpoint, where that is another than the model's."""
        return f"context-memory/{self.environment}/embedding-api"

    def secret_arn(self, secret: str) -> str:
        """ARN of a secret without the suffix that AWS adds; Secrets Manager accepts it."""
        return self.arn("secretsmanager", f"secret:{secret}")

    def secret_arn_pattern(self, secret: str) -> str:
        """As policies must name a secret, to whose ARN AWS adds a hyphen and six characters."""
        return f"{self.secret_arn(secret)}-??????"

    @property
    def flags_application(self) -> str:
        """AppConfig's application of the operator's switches."""
        return self.plain("switches")

    @property
    def flags_profile(self) -> str:
        """Its configuration profile; the environment in AppConfig is named as this one is."""
        return "companies"

    @property
    def flags_configuration(self) -> str:
        """Application, environment and profile, as the functions are told where the flags are."""
        return f"{self.flags_application}/{self.environment}/{self.flags_profile}"

    def rollout(self, speed: str) -> str:
        """A deployment strategy of the switches: `gradual` or `immediate`."""
        return self.plain(speed)

    def function(self, what: str) -> str:
        """A function's name."""
        return self.plain(what)

    def function_arn(self, what: str) -> str:
        """ARN of a function."""
        return self.arn("lambda", f"function:{self.function(what)}")

    def function_role(self, what: str) -> str:
        """A function's own role."""
        return self.role(f"{what}-function")

    def user_data_role(self, what: str) -> str:
        """Role that a function assumes for one user (`read`, `recall`, `write`, `erase`) or one company (`lister`)."""
        return self.role(f"user-{what}")

    def caller_policy(self, company_id: str, kind: str) -> str:
        """Managed policy of a company's callers of a kind (`orchestrator`, `reader`, `administrator`)."""
        return f"{self.plain('caller')}-{self.region}-{company_id}-{kind}"

    def caller_role(self, company_id: str) -> str:
        """Role that a company's callers of other accounts assume.

        Its name is none of those that the data's key lets in. An id that is too long for a role stands as a digest.
        """
        fits = len(company_id) <= _LONGEST_COMPANY_IN_A_ROLE
        # A company's id holds no underscore, so that no digest is taken for one.
        digest = f"_{hashlib.sha256(company_id.encode()).hexdigest()}"[:_LONGEST_COMPANY_IN_A_ROLE]
        return f"{self.plain('caller')}-{self.region}-{company_id if fits else digest}"

    def role_arn(self, role: str) -> str:
        """ARN of a role."""
        return f"arn:{self.partition}:iam::{self.account}:role/{role}"

    @property
    def flags_policy(self) -> str:
        """Managed policy of those who read the flags; policies know no region."""
        return self.role("read-flags")

    @property
    def operator_policy(self) -> str:
        """Managed policy of operators. Its name is none of those that the data's key lets in."""
        return f"{self.plain('operator')}-{self.region}"

    @property
    def auditor_policy(self) -> str:
        """Managed policy of those who read audit records."""
        return f"{self.plain('auditor')}-{self.region}"

    def policy_arn(self, policy: str) -> str:
        """ARN of a managed policy."""
        return f"arn:{self.partition}:iam::{self.account}:policy/{policy}"

    def log_group(self, function: str) -> str:
        """Log group of a function, where Lambda writes by default."""
        return f"/aws/lambda/{function}"

    @property
    def access_log(self) -> str:
        """Log group of the API's requests; its prefix keeps the policies of log groups from growing too long."""
        return f"{_VENDED}{self.plain('access')}"

    @property
    def log_group_patterns(self) -> tuple[str, ...]:
        """What the names of all log groups of this environment look like: of functions, of the gateway, and others."""
        return (
            self.log_group(self.plain("*")),
            f"{_VENDED}{self.plain('*')}",
            f"/context-memory/{self.environment}/*",
        )

    @property
    def alarm_topic(self) -> str:
        """Topic that is told of every alarm."""
        return self.plain("alarms")

    @property
    def api_id_parameter(self) -> str:
        """Parameter that holds the id of the API, which has no name of ours."""
        return f"/context-memory/{self.environment}/api-id"

    @property
    def data_key_parameter(self) -> str:
        """Parameter that holds the ARN of the key of everything that is stored."""
        return f"/context-memory/{self.environment}/data-key"
