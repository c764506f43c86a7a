"""The months' names in the long dates of Windows, in the form that a date has them in.

Source: the long dates and month names (genitive where there is one) of the Unicode CLDR.
"""

from __future__ import annotations

_NAMES = (
    # German, Dutch, Danish and Norwegian, Swedish
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "januari februari mars april maj juni juli augusti september oktober november december",
    # French, Spanish, Italian, Portuguese, Romanian
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    # Turkish, Finnish, Hungarian, Greek
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
    "lokakuuta marraskuuta joulukuuta",
    "január február március április május június július augusztus szeptember október november december",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου "
    "νοεμβρίου δεκεμβρίου",
    # Polish, Czech, Russian, Ukrainian
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
)
_AMBIGUOUS = frozenset({"listopada"})
"""November in Polish, October in Croatian."""


def _by_name() -> dict[str, int]:
    names = {name: month for line in _NAMES for month, name in enumerate(line.split(), 1)}
    return {name: month for name, month in names.items() if name not in _AMBIGUOUS}


_MONTHS = _by_name()


def month_of(word: str) -> int | None:
    """Return the number of a month; None for any other word."""
    return _MONTHS.get(word.replace("İ", "i").lower())
