"""Words for the form of answers that mean the same, across languages.

"Keep it short from now on" is ground for "Prefers concise answers", in whatever language a model wrote that down: how
somebody wants answers is said in ever other words, and a wish that goes unheard is a fault that users see at once.
For evidence only. Two bullets are never taken for one because of synonyms.
"""

from __future__ import annotations

from context_memory.domain.language.words import content_words

_GROUPS_OF_WORDS = (
    """short shorter brief briefly brevity concise concisely terse succinct compact crisp
    kurz kurze kurzen kurzer kürzer kürzere knapp knappe knappen knapper bündig prägnant prägnante
    court courts courte courtes bref brefs brève brèves concis concise concises
    corto corta cortos cortas breve breves brevi conciso concisa concisas concisos kort korte beknopt
    简短 簡短 简洁 簡潔 简明 精简 短一 短点 短い 短く 手短 짧게""",
    """long longer detail details detailed elaborate thorough thoroughly extensive comprehensive
    ausführlich ausführliche ausführlichen ausführlicher detailliert detaillierte detaillierten lange langen länger
    détaillé détaillés détaillée détaillées longue longues detallado detallada detallados detalladas largo largas
    dettagliato dettagliata dettagliate dettagliati lungo lunghe uitgebreid uitgebreide
    详细 詳細 详尽 詳し 자세""",
    """bullet bullets bulleted list lists
    stichpunkt stichpunkte stichpunkten stichworte stichworten aufzählung aufzählungen liste listen puces viñetas
    列表 列点 要点 箇条 条書""",
    """table tables tabular tabelle tabellen tabellarisch tabla tablas tabella tabelle 表格 表形""",
    """simple simpler simply plain plainly einfach einfache einfachen einfacher verständlich simples simplement
    sencillo sencilla semplice semplici eenvoudig 简单 簡単 通俗""",
)
_GROUPS = tuple(content_words(group) for group in _GROUPS_OF_WORDS)


def with_synonyms(words: frozenset[str]) -> frozenset[str]:
    """Content words and all that mean the same."""
    return words.union(*(group for group in _GROUPS if not group.isdisjoint(words)))
