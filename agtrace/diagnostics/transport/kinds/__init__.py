"""The verdicts on a stream of log, by what they name: each a row with its words. Plain text."""
