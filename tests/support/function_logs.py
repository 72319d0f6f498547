"""What the deployed functions wrote, each line fetched once: the emulator keeps a stream for each invocation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_logs.type_defs import LogStreamTypeDef


class FunctionLogs:
    """Log groups, read again only as far as something was added.

    Args:
        client: with the right to read them.
    """

    def __init__(self, client: CloudWatchLogsClient) -> None:
        self._client = client
        self._read: dict[tuple[str, str], tuple[int, list[str]]] = {}

    def lines(self, group: str) -> list[str]:
        """All lines of a group so far; in order within a stream."""
        for stream in self._grown(group):
            name = stream["logStreamName"]
            self._read[group, name] = (stream["lastIngestionTime"], list(self._lines_in(group, name)))
        return [line for (of, _), (_, lines) in self._read.items() if of == group for line in lines]

    def _grown(self, group: str) -> Iterator[LogStreamTypeDef]:
        """Streams that hold what was not read yet: the last written ones come first, and what follows is known."""
        pages = self._client.get_paginator("describe_log_streams").paginate(
            logGroupName=group, orderBy="LastEventTime", descending=True
        )
        for page in pages:
            written = [stream for stream in page["logStreams"] if "lastIngestionTime" in stream]
            new = [stream for stream in written if self._read_until(group, stream) < stream["lastIngestionTime"]]
            yield from new
            if written and not new:
                return

    def _read_until(self, group: str, stream: LogStreamTypeDef) -> int:
        until, _ = self._read.get((group, stream["logStreamName"]), (-1, []))
        return until

    def _lines_in(self, group: str, stream: str) -> Iterator[str]:
        """Lines of one stream, page by page: the emulator's search over all streams ends after 10,000 of them."""
        page = self._client.get_log_events(logGroupName=group, logStreamName=stream, startFromHead=True)
        while page["events"]:
            yield from (event["message"] for event in page["events"])
            page = self._client.get_log_events(
                logGroupName=group, logStreamName=stream, startFromHead=True, nextToken=page["nextForwardToken"]
            )
