"""Estimate the effect of changes: a group as a chain of queues, driven by the captured load.

`agtrace.replay.samples` replays perfmon samples (send queue, log received, redo), `agtrace.replay.blocks`
captured log blocks (commits). Both are first replayed unchanged (`agtrace.replay.check`): a model that does
not reproduce the captured values is not used for estimates. docs/what_if.md describes the model.
"""
