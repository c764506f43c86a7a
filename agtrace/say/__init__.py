"""What agtrace says, and how: findings, the words for numbers and names, cards, figures, and the engine that
fills templates.

What was judged comes from `agtrace.diagnostics`, which stands above: nothing here knows a rule.
"""
