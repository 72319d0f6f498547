from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from context_memory.domain.errors import InvalidId
from context_memory.domain.ids import encode as served
from infra.local.ids import encode


@given(st.one_of(st.text(min_size=1), st.sampled_from([".", "..", "a/b", "lena@acme.example", "x=2F", "张伟", "a:b"])))
@settings(max_examples=100, deadline=None)
def test_the_client_spells_every_id_as_the_service_does(value: str) -> None:
    try:
        spelled = served(value)
    except InvalidId:
        assume(False)  # noqa: FBT003 (how Hypothesis is told that an input does not count)
    else:
        assert encode(value) == spelled
