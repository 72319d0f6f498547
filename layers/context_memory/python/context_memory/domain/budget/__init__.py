"""The token budget: what fits under a cap, when a profile is stored and when it is shown.

`fit` trims what is stored, `build_index` notes the figures of what was stored, `view` shows it by these figures alone.
Importing this package loads neither tokenizer nor Markdown or YAML reader: load runs on it.
"""

from context_memory.domain.budget.build import build_index
from context_memory.domain.budget.fitting import fit
from context_memory.domain.budget.index import BudgetIndex
from context_memory.domain.budget.showing import View, bullets_of, view

__all__ = ["BudgetIndex", "View", "build_index", "bullets_of", "fit", "view"]
