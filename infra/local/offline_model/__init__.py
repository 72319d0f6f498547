"""The offline model: a stand-in for a language model that needs no key and no network.

It is not a language model. It answers the calls of the service (gate, consolidation, scrub, condense, extraction,
compact) by a table of rules for plain statements in English and German and a few in Chinese, always in the same way,
over the OpenAI-compatible interface. Good enough to see the service work and to test it; no measure of what a model
would remember. Its name says so in every answer: `offline-rules`.

    python -m infra.local.offline_model --port 8089

Order of the modules: `prompt` (what was asked) → `statements` and `rules` (what the user said) → `update` (what that
does to the profile) and `extracting` (to single facts), beside them `compacting` (old facts in fewer sentences) →
`answers` (one function per call) → `server` (HTTP).
"""

from __future__ import annotations

MODEL = "offline-rules"
"""The name it goes by wherever a model's name is shown."""
