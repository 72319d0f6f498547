"""Makes a body fit: topics first, then work and skills; Identity and Communication Preferences are never touched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from infra.local.offline_model.body import FOLLOW_UPS, SKILLS, TOPICS, WORK
from infra.local.offline_model.usage import rough_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from infra.local.offline_model.body import Body, Line

_CLAUSE_END = re.compile(r"(?<=\w)(?:[.;。；] ?|,? (?:which|because|so that|weil|damit) ).*", re.DOTALL)  # noqa: RUF001 (Chinese)


def condensed(body: Body, target: int) -> Body:
    """Shorten step by step until the body is at most `target` tokens by the rough count, or nothing more may go."""
    for step in _steps(body):
        if rough_tokens(body.render()) <= target:
            break
        body = step(body)
    return body


def _steps(body: Body) -> Iterator[Callable[[Body], Body]]:
    topics, skills, work = (list(body.under(heading)) for heading in (TOPICS, SKILLS, WORK))
    yield from (_dropping(line) for line in topics[:-1])
    yield from (_shortening(line) for line in [*topics[-1:], *reversed(skills), *reversed(work)])
    yield from (_shortening(line) for line in body.under(FOLLOW_UPS))


def _dropping(line: Line) -> Callable[[Body], Body]:
    return lambda body: body.without([line])


def _shortening(line: Line) -> Callable[[Body], Body]:
    short = _CLAUSE_END.sub("", line.text)
    return lambda body: body.changed(line, f"{short.rstrip('.')}.") if len(short) < len(line.text) - 1 else body
