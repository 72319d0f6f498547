"""What each function may do by its own role: on queues, on the company table, on the bus; never on users' data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from infra.names import Names

_ANSWER = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes")


class FunctionRights:
    """Builds the statements of each function for one environment."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._turns, self._jobs = names.queue_arn(names.turns_queue), names.queue_arn(names.jobs_queue)
        self._company = self._items("ReadCompany", "company", "GetItem")
        self._space = self._items("ReadSpace", "spaces", "GetItem")
        self._spending = self._items("ReadSpending", "budget", "Query")
        self._counting = self._items("CountSpending", "budget", "UpdateItem")
        # One transaction begins a job that erases a company, and closes the company.
        self._change = self._items("ChangeCompany", ("company", "job"), "UpdateItem")
        self._due = self._items("NoteWhatIsDue", "agenda", "PutItem")
        self._ring = _allow("RingTurns", ["sqs:SendMessage"], [self._turns])
        self._send = _allow("SendJobs", ["sqs:SendMessage"], [self._jobs])
        self._tell = _allow("TellNews", ["events:PutEvents"], [names.event_bus_arn])
        self._model = _allow(
            "ReadModelKey", ["secretsmanager:GetSecretValue"], [names.secret_arn_pattern(names.model_key_secret)]
        )

    def by_function(self) -> Mapping[str, Sequence[aws_iam.PolicyStatement]]:
        """Statements by function; the right to sign receipts stands in the policy of their key."""
        dead_letters = self._names.queue_arn(self._names.dead_letter_queue)
        return {
            "load": [self._ring, self._company, self._space],
            "ingest": [self._ring, self._company, self._space, self._spending],
            "consolidate": [
                *(self._company, self._space, self._spending, self._counting),
                _allow("AnswerTurns", _ANSWER, [self._turns]),
                _allow("ReportDead", ["sqs:SendMessage"], [dead_letters]),
                *(self._tell, self._send, self._due, self._model),
            ],
            "account": [
                *(self._company, self._space, self._send, self._due),
                self._items("RecordErasures", "erasures", "PutItem"),
            ],
            "admin": [
                *(self._company, self._spending, self._send, self._due),
                self._change,
                self._items("ManageSpaces", "spaces", "GetItem", "Query", "UpdateItem", "DeleteItem"),
                self._company_jobs(),
            ],
            "maintain": [
                *(self._ring, self._company, self._space, self._spending, self._counting),
                self._companies_with_turns(),
                _allow("AnswerJobs", _ANSWER, [self._jobs]),
                *(self._send, self._tell, self._model),
                self._items("KeepTheAgenda", "agenda", "Query", "PutItem", "DeleteItem"),
                self._items("KeepTheLedger", "erasures", "Query", "PutItem"),
                self._company_jobs(),
            ],
        }

    def _company_jobs(self) -> aws_iam.PolicyStatement:
        return self._items("KeepJobsOfCompanies", "job", "GetItem", "Query", "PutItem")

    def _companies_with_turns(self) -> aws_iam.PolicyStatement:
        # A listing of companies names no user; whoever follows it up does so under that company's and user's tags.
        companies = {"StringEquals": {"s3:prefix": "turns/", "s3:delimiter": "/"}}
        work = self._names.bucket_arn(self._names.work_bucket)
        return _allow("ListCompaniesWithTurns", ["s3:ListBucket"], [work], companies)

    def _items(self, sid: str, kinds: str | tuple[str, ...], *actions: str) -> aws_iam.PolicyStatement:
        """Items of these kinds, of any company; a user's key holds no `##`, and keys of other kinds end otherwise."""
        keys = [f"*##{kind}" for kind in ((kinds,) if isinstance(kinds, str) else kinds)]
        conditions = {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": keys},
            # Without it the condition above would hold for a request that names no key.
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
        table = self._names.table_arn(self._names.company_table)
        return _allow(sid, [f"dynamodb:{action}" for action in actions], [table], conditions)


def _allow(
    sid: str, actions: Sequence[str], resources: Sequence[str], conditions: Mapping[str, object] | None = None
) -> aws_iam.PolicyStatement:
    return aws_iam.PolicyStatement(
        sid=sid, actions=list(actions), resources=list(resources), conditions=dict(conditions or {})
    )
