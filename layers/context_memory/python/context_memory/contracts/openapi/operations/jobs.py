"""Jobs that concern every user of a company."""

from __future__ import annotations

from context_memory.contracts.jobs import MOST_PAGES, ConfirmBody, JobBody
from context_memory.contracts.openapi.answers.jobs import AskedJob, JobReport
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import COMPANY, in_path, in_query
from context_memory.contracts.openapi.problems import BODY, PINNED

_JOBS = "/v1/companies/{company_id}/jobs"
_JOB = in_path("job_id", "The job.", {"type": "string", "pattern": "^[A-Za-z0-9-]{1,64}$"})

OPERATIONS = (
    Operation(
        route=f"POST {_JOBS}",
        name="askForJob",
        tag="jobs",
        summary="Begin a job about every user of the company.",
        callers=Callers.IAM,
        parameters=(COMPANY,),
        body=JobBody,
        replies=(Reply(status=202, about="It goes on by itself, or waits to be confirmed.", model=AskedJob),),
        problems=PINNED | BODY,
    ),
    Operation(
        route=f"GET {_JOBS}/{{job_id}}",
        name="showJob",
        tag="jobs",
        summary="See how far a job has come, and its report.",
        callers=Callers.IAM,
        parameters=(
            COMPANY,
            _JOB,
            in_query(
                "after",
                "Where the page before ended: its `next`.",
                {"type": "integer", "minimum": 1, "maximum": MOST_PAGES},
            ),
        ),
        replies=(Reply(status=200, about="How far it is.", model=JobReport),),
        problems=PINNED | {"unknown_job"},
    ),
    Operation(
        route=f"POST {_JOBS}/{{job_id}}/confirm",
        name="confirmJob",
        tag="jobs",
        summary="Begin a job that waits for its code.",
        callers=Callers.IAM,
        parameters=(COMPANY, _JOB),
        body=ConfirmBody,
        replies=(Reply(status=202, about="It has begun.", model=AskedJob),),
        problems=PINNED | BODY | {"unknown_job", "confirmation_refused"},
    ),
)
