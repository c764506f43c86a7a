"""The texts of agtrace: findings, numbers and names, cards, figures, and the engine that fills templates.

Judgements come from `agtrace.diagnostics`, which imports this package: nothing here depends on a rule.
"""
