"""English names of the time zones to which a log refers by number.

A log's header holds the names of its zone as text, or as a reference to a string of ``tzres.dll``
(``@tzres.dll,-212``), which is in the language of each machine. The numbers are those that Windows
keeps under ``Time Zones`` in its registry (values ``MUI_Std`` and ``MUI_Dlt``): of three in a row the
first is the city list, the second the daylight name, the third the standard name.
"""

from __future__ import annotations

import re

_REFERENCE = re.compile(r"@tzres\.dll,-(\d{1,5})", re.IGNORECASE)

# Number of the daylight name -> the zone's name without "Standard Time".
_ZONES = {
    11: "Azores",
    21: "Cape Verde",
    31: "Mid-Atlantic",
    41: "E. South America",
    51: "Greenland",
    61: "SA Eastern",
    71: "Newfoundland",
    81: "Atlantic",
    91: "Pacific SA",
    101: "SA Western",
    104: "Central Brazilian",
    111: "Eastern",
    121: "SA Pacific",
    131: "US Eastern",
    141: "Canada Central",
    151: "Central America",
    161: "Central",
    191: "Mountain",
    201: "US Mountain",
    211: "Pacific",
    221: "Alaskan",
    231: "Hawaiian",
    241: "Samoa",
    251: "Dateline",
    261: "GMT",
    271: "Greenwich",
    281: "Central Europe",
    291: "Central European",
    301: "Romance",
    311: "W. Central Africa",
    321: "W. Europe",
    331: "E. Europe",
    334: "Jordan",
    341: "Egypt",
    351: "FLE",
    361: "GTB",
    364: "Middle East",
    371: "Jerusalem",
    381: "South Africa",
    384: "Namibia",
    391: "Arab",
    401: "Arabic",
    411: "E. Africa",
    421: "Russian",
    431: "Iran",
    434: "Georgian",
    441: "Arabian",
    448: "Azerbaijan",
    451: "Caucasus",
    461: "Afghanistan",
    471: "Ekaterinburg",
    481: "West Asia",
    491: "India",
    501: "Nepal",
    511: "Central Asia",
    521: "N. Central Asia",
    531: "Sri Lanka",
    541: "Myanmar",
    551: "North Asia",
    561: "SE Asia",
    571: "China",
    581: "North Asia East",
    591: "Malay Peninsula",
    601: "Taipei",
    611: "W. Australia",
    621: "Korea",
    631: "Tokyo",
    641: "Yakutsk",
    651: "AUS Central",
    661: "Cen. Australia",
    671: "AUS Eastern",
    681: "E. Australia",
    691: "Tasmania",
    701: "Vladivostok",
    711: "West Pacific",
    721: "Central Pacific",
    731: "Fiji",
    741: "New Zealand",
    751: "Tonga",
    771: "Montevideo",
    791: "SA Western",
    811: "Venezuela",
    831: "SA Eastern",
    841: "Argentina",
    871: "Pakistan",
    891: "Morocco",
    911: "Mauritius",
    961: "Paraguay",
    981: "Kamchatka",
    1021: "Bangladesh",
    1041: "Ulaanbaatar",
    1411: "Syria",
    1471: "Magadan",
    1501: "Turkey",
    1601: "Kaliningrad",
    1661: "Bahia",
    1721: "Libya",
}
_OTHERS = {
    171: "Central Daylight Time (Mexico)",
    172: "Central Standard Time (Mexico)",
    181: "Mountain Daylight Time (Mexico)",
    182: "Mountain Standard Time (Mexico)",
    214: "Pacific Daylight Time (Mexico)",
    215: "Pacific Standard Time (Mexico)",
    931: "Coordinated Universal Time",
    932: "Coordinated Universal Time",
}


def zone_name(written: str) -> str:
    """Return the English text of a reference; other and unknown names unchanged."""
    match = _REFERENCE.fullmatch(written.strip())
    if not match:
        return written
    number = int(match[1])
    if number in _OTHERS:
        return _OTHERS[number]
    if number in _ZONES:
        return f"{_ZONES[number]} Daylight Time"
    if number - 1 in _ZONES:
        return f"{_ZONES[number - 1]} Standard Time"
    return written
