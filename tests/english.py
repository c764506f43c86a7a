"""The rules of native English that a program can check, for any text that a person reads.

`problems` finds phrases that a native engineer would not write, `long_sentences` sentences of more than
`LONGEST` words. Both read Markdown: code, link targets and comments are left out, and a heading, list item
or table cell ends a sentence. Plain text is read the same way.
"""

from __future__ import annotations

import re

LONGEST = 30
"""Words of the longest sentence that is read without effort."""

OPENINGS = {
    r"(?:What|Who)\b(?!.*\?$)": "name the thing instead of opening with What or Who",
    r"Whoever\b|Whatever\b|That which\b|Those that\b|Those who\b": "name the thing",
    r"(?:Give|Tell|Say|Let|Have)s?\b|Word\b": "Return, Read, Compute, Check or another precise verb",
    r"Not captured on\b": "X of A was not captured",
    r"No \w+, no \w+": "name the missing thing, and where it is missing",
    r"Nothing (?:that|of)\b": "name the missing thing",
    r"It is not known\b": "X is unknown",
    r"To decide (?:it|that|this)\b": "Needed to find the cause",
}
"""How no sentence begins, with what to write instead. Questions may open with What and Who."""

_NOUN_BEFORE_LOOK = r"(?:the|last|first|each|every|single|several|two|of|by|from|one|such|latest|next)"
_THINGS = r"(?:logs?|captures?|files?|counters?|entry|entries|events?|texts?|ERRORLOGs?|messages?|samples?)"

PHRASES = {
    r"(?:is|are|was|were) none": "say what is there",
    r"(?<!there )(?:is|are|was|were) no(?= (?!longer|more|later|older|less|fewer|different|way))": "is not a",
    r"none of": "no X, or not",
    r"nobody(?:'s)?": "no one, or name the role",
    r"anew": "again",
    r"bears?|borne": "has",
    r"lies|lie (?:in|at|on|beside|between|within|outside)|lay (?:in|at|on|between)": "is in",
    r"mend(?:s|ed|ing)?": "fix",
    r"told": "reported, described or shown",
    r"looked at": "inspected",
    r"by itself alone|it is that of before": "say it in other words",
    r"whoever": "name the role",
    r"without a word|no word of": "without a shutdown message, or not logged",
    r"awake": "running",
    r"st(?:ood|ands?) still": "did not run, or did not move",
    r"no later success|of its kind": "of this type",
    r"nothing that (?:tells|says|nobody)": "name the missing thing",
    r"(?:is|are) not said": "say what to choose",
    r"\.{4,}": "say the range",
    r"never guess(?:es)?": "say what happens instead",
    r"settled": "final or resolved",
    r"held by (?:a )?tests?": "tested by, or covered by",
    rf"{_NOUN_BEFORE_LOOK} looks?|(?<!take )(?<!worth )a look": "a snapshot",
    r"(?:is|are) notice": "has severity notice",
    r"for the minutes before": "give the times",
    r"verdicts? turns? on|settings turn": "threshold, or change the finding",
    r"stretch(?:es)? of": "a span of",
    r"claims? an absence": "a claim of absence",
    r"(?:the|a|its|their|no) begin|begin of": "the start",
    r"word for": "use the term itself",
    r"explains the other": "unrelated",
    r"one more read": "review",
    r"cause (?:is|was|stays|remains) open|(?:left|leaves|leave|stays?|remains?) (?:it |them |that )?open": (
        "unknown"
    ),
    r"(?:is|are) open (?:whether|which|where|then|what)": "unknown",
    rf"{_THINGS} (?:does not |do not |did not |that |which |can |cannot )?tells?": "shows, or records",
    r"(?:is|are|was|were|stays?|stayed|fell) silent": "wrote nothing",
    r"take over over|at most so much|at least so much": "give the bound",
}
"""Phrases that no text has, with what to write instead."""

_OPENINGS = [(re.compile(pattern), why) for pattern, why in OPENINGS.items()]
_PHRASES = [(re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.I), why) for pattern, why in PHRASES.items()]

_FENCED = re.compile(r"^ *(```|~~~).*?^ *\1[ ]*$", re.M | re.S)
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?: {4}.*\n)+")
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_IMAGE_OR_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_CODE = re.compile(r"(`+)[^`].*?\1")
_NAMES = re.compile(r"`x`(?:(?:, |; | and | or |, and |/)`x`)+")
_URL = re.compile(r"<?https?://[^\s>)]+>?")
_ITEM = re.compile(r"^\s*(?:[-*+] (?:\[[ xX]\] )?|\d+[.)] |> ?|#{1,6} )")
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"^[\s|:=*_-]+$")
_END = re.compile(r"(?<=[.!?])(?<!\.\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bal\.)[\"')\]*_”]*\s+(?=\S)")


def sentences(text: str) -> list[str]:
    """Return the sentences of a Markdown or plain text, in order; a list of names in code is one word."""
    text = _NAMES.sub("`x`", _CODE.sub("`x`", _prose(text)))
    return [each for block in _blocks(text) for each in map(str.strip, _split(block)) if _words(each)]


def problems(text: str) -> list[str]:
    """Return a line for each phrase of a text that breaks a rule: the phrase, the advice and the sentence."""
    found = []
    for sentence in sentences(text):
        hits = [(match[0], why) for rule, why in _OPENINGS if (match := rule.match(_bare(sentence)))]
        hits += [(match[0], why) for rule, why in _PHRASES for match in rule.finditer(sentence)]
        found += [f'"{phrase}" ({why}): {sentence}' for phrase, why in hits]
    return found


def long_sentences(text: str, longest: int = LONGEST) -> list[str]:
    """Return the sentences of a text that have more words than ``longest``."""
    return [each for each in sentences(text) if _words(each) > longest]


def _prose(text: str) -> str:
    text = text.replace("\r\n", "\n") + "\n"
    for code in (_COMMENT, _FENCED, _INDENTED):
        text = code.sub("\n", text)
    return _URL.sub("`x`", _IMAGE_OR_LINK.sub(r"\1", text))


def _blocks(text: str) -> list[str]:
    """Return paragraphs, headings, list items and table cells, each on one line."""
    blocks: list[str] = []
    continues = False
    for line in text.splitlines():
        if not line.strip() or _RULE.match(line):
            continues = False
        elif line.lstrip().startswith("|") or " | " in line:
            blocks += [cell.replace(r"\|", "or").strip() for cell in _CELLS.split(line)]
            continues = False
        elif item := _ITEM.match(line):
            blocks.append(line[item.end() :])
            continues = not line.startswith("#")
        elif continues:
            blocks[-1] += " " + line.strip()
        else:
            blocks.append(line.strip())
            continues = True
    return blocks


def _split(block: str) -> list[str]:
    return _END.split(block)


def _bare(sentence: str) -> str:
    return sentence.lstrip("*_\"'([“ ")


def _words(sentence: str) -> int:
    return sum(any(c.isalnum() for c in word) for word in sentence.split())
