from __future__ import annotations

from context_memory.domain.facts.embedding import EmbeddingModel


def test_a_model_that_is_asked_plainly_goes_by_its_own_name() -> None:
    assert EmbeddingModel(name="small-1").kept_as == "small-1"


def test_every_other_way_of_asking_makes_vectors_of_another_name() -> None:
    ways = [
        EmbeddingModel(name="e5"),
        EmbeddingModel(name="e5", query_prefix="query: "),
        EmbeddingModel(name="e5", passage_prefix="query: "),
        EmbeddingModel(name="e5", query_prefix="query: ", passage_prefix="passage: "),
        EmbeddingModel(name="e5", dimensions=256),
        EmbeddingModel(name="e5", dimensions=512),
    ]
    assert len({way.kept_as for way in ways}) == len(ways)


def test_the_name_is_the_same_in_every_process() -> None:
    assert EmbeddingModel(name="e5", dimensions=256).kept_as == "e5#26e87384"
