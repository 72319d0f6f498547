"""What each function may do by its own role: on queues, on what companies have, on the bus; never on users' data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam

from infra.names import LANCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from infra.environments.parts import Models
    from infra.names import Names

_ANSWER = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes")


class FunctionRights:
    """Builds the statements of each function for one environment."""

    def __init__(self, names: Names, models: Models, *, lance: bool) -> None:
        self._names = names
        self._companies = names.table_arn(names.company_table)
        self._turns, self._jobs = names.queue_arn(names.turns_queue), names.queue_arn(names.jobs_queue)
        self._company = self._items("ReadCompany", "company", "GetItem")
        self._space = self._items("ReadSpace", "spaces", "GetItem")
        self._spending = self._items("ReadSpending", "budget", "Query")
        self._counting = self._items("CountSpending", "budget", "UpdateItem")
        # One transaction begins a job that erases a company, and closes the company.
        self._change = self._items("ChangeCompany", ("company", "job"), "UpdateItem")
        self._due = self._items("NoteWhatIsDue", "agenda", "PutItem")
        self._ring_facts = _allow("RingFacts", ["sqs:SendMessage"], [names.queue_arn(names.facts_queue)])
        self._ring = _allow("RingTurns", ["sqs:SendMessage"], [self._turns])
        self._send = _allow("SendJobs", ["sqs:SendMessage"], [self._jobs])
        self._tell = _allow("TellNews", ["events:PutEvents"], [names.event_bus_arn])
        self._model = _allow(
            "ReadModelKey", ["secretsmanager:GetSecretValue"], [names.secret_arn_pattern(names.model_key_secret)]
        )
        embed = _allow(
            "ReadEmbeddingKey",
            ["secretsmanager:GetSecretValue"],
            [names.secret_arn_pattern(names.embedding_key_secret)],
        )
        self._embed_too = [embed] if models.embedding_base_url else []
        """For who reads the model's key anyway: that is the one of the embeddings, unless they are served elsewhere."""
        self._embed = self._embed_too or ([self._model] if models.embedding else [])
        self._link = self._items("ReadLinks", "links", "GetItem")
        ask = _allow("AskLance", ["lambda:InvokeFunction"], [names.function_arn(LANCE)])
        self._tables = [ask] if lance else []

    def by_function(self) -> Mapping[str, Sequence[aws_iam.PolicyStatement]]:
        """Statements by function; the right to sign receipts stands in the policy of their key."""
        dead_letters = self._names.queue_arn(self._names.dead_letter_queue)
        dead_facts = self._names.queue_arn(self._names.facts_dead_letter_queue)
        return {
            "load": [self._ring, self._company, self._space, self._link],
            "ingest": [self._ring, self._company, self._space, self._spending, self._link],
            "recall": [self._company, self._space, self._link, self._send, *self._embed, *self._tables],
            "consolidate": [
                *(self._company, self._space, self._spending, self._counting),
                _allow("AnswerTurns", _ANSWER, [self._turns]),
                _allow("ReportDead", ["sqs:SendMessage"], [dead_letters]),
                *(self._ring_facts, self._tell, self._send, self._due, self._model),
            ],
            "extract": [
                *(self._company, self._space, self._spending, self._counting),
                _allow("AnswerFacts", _ANSWER, [self._names.queue_arn(self._names.facts_queue)]),
                _allow("ReportDeadFacts", ["sqs:SendMessage"], [dead_facts]),
                *(self._send, self._due, self._model, *self._embed_too, *self._tables),
            ],
            "account": [
                *(self._company, self._space, self._link, self._send, self._due, *self._embed),
                self._items("RecordErasures", "erasures", "PutItem"),
                self._items("EraseLinks", "links", "Query", "DeleteItem"),
                # What other users keep of merges with whoever is erased.
                self._items("EndMerges", "merges", "Query", "GetItem", "PutItem"),
            ],
            "admin": [
                *(self._company, self._spending, self._send, self._due),
                self._change,
                self._items("ManageSpaces", "spaces", "GetItem", "Query", "UpdateItem", "DeleteItem"),
                self._shared_facts("KeepSharedFacts", "PutItem", "UpdateItem", "DeleteItem"),
                *self._embed,
                self._company_jobs(),
                self._items("ListLinks", "links", "GetItem", "Query"),
                self._items("ReadMerge", "merges", "GetItem"),
                # One transaction makes a link and keeps the merge that it sets off.
                self._items("ManageLinks", ("links", "merges"), "PutItem", "DeleteItem", "ConditionCheckItem"),
            ],
            "maintain": [
                *(self._ring, self._ring_facts, self._company, self._space, self._spending, self._counting),
                self._companies_with_turns(),
                _allow("AnswerJobs", _ANSWER, [self._jobs]),
                *(self._send, self._tell, self._model, *self._embed_too, *self._tables),
                self._shared_facts("KeepSharedFacts", "PutItem", "UpdateItem", "DeleteItem"),
                *self._shared_indexes(),
                self._items("KeepTheAgenda", "agenda", "Query", "PutItem", "DeleteItem"),
                self._items("KeepTheLedger", "erasures", "Query", "PutItem"),
                self._items("MoveMerges", "merges", "GetItem", "PutItem", "ConditionCheckItem"),
                self._items("EraseLinks", ("links", "merges"), "Query", "DeleteItem"),
                self._company_jobs(),
            ],
        }

    def _shared_facts(self, sid: str, *writes: str) -> aws_iam.PolicyStatement:
        """Facts of companies and of spaces: read, write, and hold a write to what was read."""
        actions = [f"dynamodb:{action}" for action in ("GetItem", "Query", "ConditionCheckItem", *writes)]
        return _allow(sid, actions, [self._companies], _partitions("*##global", "*##space#*"))

    def _shared_indexes(self) -> list[aws_iam.PolicyStatement]:
        """What recall looks shared facts up in."""
        work = self._names.bucket_arn(self._names.work_bucket)
        shared = ("recall/*/global/*", "recall/*/space-*")
        files = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
        return [
            _allow("KeepSharedIndexes", files, [f"{work}/{pattern}" for pattern in shared]),
            _allow("ListSharedIndexes", ["s3:ListBucket"], [work], {"StringLike": {"s3:prefix": list(shared)}}),
            # A sign for anything stands for slashes, too, and so for folders of a user that are called alike.
            aws_iam.PolicyStatement(
                sid="NothingOfUsers",
                effect=aws_iam.Effect.DENY,
                actions=files,
                resources=[f"{work}/recall/*/home-*"],
            ),
            aws_iam.PolicyStatement(
                sid="NoListingOfUsers",
                effect=aws_iam.Effect.DENY,
                actions=["s3:ListBucket"],
                resources=[work],
                conditions={"StringLike": {"s3:prefix": "recall/*/home-*"}},
            ),
        ]

    def _company_jobs(self) -> aws_iam.PolicyStatement:
        return self._items("KeepJobsOfCompanies", "job", "GetItem", "Query", "PutItem")

    def _companies_with_turns(self) -> aws_iam.PolicyStatement:
        # A listing of companies names no user; whoever follows it up does so under that company's and user's tags.
        companies = {"StringEquals": {"s3:prefix": ["turns/", "kept/"], "s3:delimiter": "/"}}
        work = self._names.bucket_arn(self._names.work_bucket)
        return _allow("ListCompaniesWithTurns", ["s3:ListBucket"], [work], companies)

    def _items(self, sid: str, kinds: str | tuple[str, ...], *actions: str) -> aws_iam.PolicyStatement:
        """Items of these kinds, of any company; a user's key holds no `##`, and keys of other kinds end otherwise."""
        keys = [f"*##{kind}" for kind in ((kinds,) if isinstance(kinds, str) else kinds)]
        return _allow(sid, [f"dynamodb:{action}" for action in actions], [self._companies], _partitions(*keys))


def _partitions(*patterns: str) -> dict[str, Mapping[str, object]]:
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(patterns)},
        # Without it the condition above would hold for a request that names no key.
        "Null": {"dynamodb:LeadingKeys": "false"},
    }


def _allow(
    sid: str, actions: Sequence[str], resources: Sequence[str], conditions: Mapping[str, object] | None = None
) -> aws_iam.PolicyStatement:
    return aws_iam.PolicyStatement(
        sid=sid, actions=list(actions), resources=list(resources), conditions=dict(conditions or {})
    )
