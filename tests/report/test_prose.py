"""How words of a page are counted: what a reader must read, and nothing else."""

from __future__ import annotations

from tests.folded import folded
from tests.report.prose import Prose


@folded(
    ("html", "words"),
    [
        ("<p>one two <b>three</b></p>", 3),
        ("<head><title>x</title><style>a b</style></head><p>one</p>", 1),
        ("<table><tr><td>a b c</td></tr></table><p>one</p>", 1),
        ("<table class='story'><tr><td>a b c</td></tr></table><p>one</p>", 4),
        ("<p>one</p><ol class='steps'><li>a b <code>c</code></li></ol><p>two</p>", 2),
        ("<svg><text>a b c</text></svg><script>d e</script>one", 1),
        ("<details><summary>one two</summary>a b c</details>", 2),
        ("<details open><summary>one</summary>two three</details>", 3),
        ("<details><summary>one</summary><details open><summary>a</summary>b</details></details>", 1),
        ("<p hidden>one two</p><p style='display: none'>three</p>", 3),
        ("<meta charset=x><p>one</p>", 1),
    ],
)
def test_words_that_show_are_counted(html, words):
    assert Prose(html).words == words


def test_verdict_and_narratives_are_found():
    found = Prose(
        "<p class=verdict>It is <b>slow</b>.</p><details><summary>t</summary>"
        "<div class='narrative "
        "small'><p>Why.</p><details><summary>More</summary>much</details></div></details>"
    )
    assert (found.verdict, found.narratives) == ("It is slow.", ["Why."])
