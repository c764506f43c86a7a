"""Error numbers on pages carry the product's text; what is no text or can be pressed stays as it is."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from agtrace.report.error_notes import explained

NOTE = (
    '<span class="error" role="note" tabindex="0" title="There is not enough space on the disk.">112</span>'
)


@pytest.mark.parametrize(
    "html",
    [
        "<script>error 35206</script>",
        "<a href='x'>error 35206</a>",
        "<summary>error <b>35206</b> (35206)</summary>",
        "<p title='error 35206'>none</p>",
        "<code>error 35206</code>",
        "<caption>error 35206</caption>",
    ],
)
def test_what_is_no_running_text_stays(html):
    assert explained(Markup(html)) == html


def test_a_number_in_a_cell_has_its_note_and_the_text_stays():
    cell = "<td>Operating system error 112(&lt;full&gt;)</td>"
    assert explained(Markup(cell)) == cell.replace("112", NOTE)
    assert explained(Markup(cell)).striptags() == Markup(cell).striptags()


def test_a_note_is_escaped():
    assert "availability group &#39;…&#39;" in explained(Markup("<p>error 19407</p>"))
