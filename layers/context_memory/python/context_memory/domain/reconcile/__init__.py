"""Reconcile: the old profile is the base, and code decides what of the model's text stands (rules R0 to R8)."""

from context_memory.domain.reconcile.condensed import check_condensed
from context_memory.domain.reconcile.judging import reconcile
from context_memory.domain.reconcile.values import Grounds, Reconciled, Rules

__all__ = ["Grounds", "Reconciled", "Rules", "check_condensed", "reconcile"]
