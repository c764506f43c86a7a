"""The chain of a group as queues, driven by the load of a capture: what a change would bring.

`agtrace.replay.samples` replays perfmon samples (send queue, log received, redo), `agtrace.replay.blocks`
captured log blocks (commits). Both are replayed as they were first (`agtrace.replay.check`): what does not
give back what was captured says nothing of a change. docs/what_if.md has the model in a page.
"""
