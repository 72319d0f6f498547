"""Variables of `lance`."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.reading import FromEnvironment, variable


@dataclass(frozen=True, slots=True, kw_only=True)
class LanceSettings(FromEnvironment):
    """What lance needs; Lambda itself sets the region."""

    work_bucket: str = variable("WORK_BUCKET")
    region: str = variable("AWS_REGION")
    endpoint_url: str = variable("AWS_ENDPOINT_URL_S3", default="")
