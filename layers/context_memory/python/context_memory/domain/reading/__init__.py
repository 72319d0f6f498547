"""From text to profile: lenient about form, and losing nothing.

`parse` reads any text, `read_committed` and `read_legacy` a stored file, `with_everything` leaves nothing of a text out
of its body, `canonical_bullet` makes a bullet that survives the way back.
"""

from context_memory.domain.reading.canonical import canonical_bullet
from context_memory.domain.reading.document import Document, parse
from context_memory.domain.reading.stored import read_committed, read_legacy, with_everything

__all__ = ["Document", "canonical_bullet", "parse", "read_committed", "read_legacy", "with_everything"]
