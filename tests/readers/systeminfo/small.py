"""Small captures of systeminfo: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

_VALUES = (
    "Microsoft Windows Server 2022 Standard", "10.0.20348 {none} Build 20348", "Microsoft Corporation",
    "Member Server", "Multiprocessor Free", "Contoso", "", "00454-00000-00001-AA000",
    "1/4/2026, 8:00:11 AM", "2/28/2026, 10:09:12 PM", "Contoso Systems", "Model 7", "x64-based PC",
    "2 Processor(s) Installed.", "Contoso BIOS 1.2, 1/1/2025", "C:\\Windows", "C:\\Windows\\system32",
    "\\Device\\HarddiskVolume3", "{locale}", "{locale}", "(UTC-05:00) Eastern Time (US & Canada)",
    "{total}", "{available}", "{most}", "{free}", "{used}", "C:\\pagefile.sys", "contoso.lan", "\\\\DC1",
    "2 Hotfix(s) Installed.", "2 NIC(s) Installed.",
)  # fmt: skip
_BELOW = {
    13: ("[01]: Intel64 Family 6 ~2600 Mhz", "[02]: Intel64 Family 6 ~2600 Mhz"),
    29: ("[01]: KB5000001", "[02]: KB5000002"),
    30: (
        "[01]: Contoso Ethernet Adapter", "      Connection Name: Public", "      DHCP Enabled:    No",
        "      IP address(es)", "      [01]: 10.2.0.4", "      [02]: fe80::4",
        "[02]: Contoso Ethernet Adapter #2", "      Connection Name: Replication",
        "      Status:          Media disconnected",
    ),
}  # fmt: skip
ENGLISH = (
    "Host Name", "OS Name", "OS Version", "OS Manufacturer", "OS Configuration", "OS Build Type",
    "Registered Owner", "Registered Organization", "Product ID", "Original Install Date", "System Boot Time",
    "System Manufacturer", "System Model", "System Type", "Processor(s)", "BIOS Version", "Windows Directory",
    "System Directory", "Boot Device", "System Locale", "Input Locale", "Time Zone", "Total Physical Memory",
    "Available Physical Memory", "Virtual Memory: Max Size", "Virtual Memory: Available",
    "Virtual Memory: In Use", "Page File Location(s)", "Domain", "Logon Server", "Hotfix(s)",
    "Network Card(s)",
)  # fmt: skip
FRENCH = (
    "Nom de l’hôte", "Nom du système d’exploitation", "Version du système",
    "Fabricant du système d’exploitation", "Configuration du système d’exploitation",
    "Type de build du système d’exploitation", "Propriétaire enregistré", "Organisation enregistrée",
    "Identificateur de produit", "Date d’installation originale", "Heure de démarrage du système",
    "Fabricant du système", "Modèle du système", "Type du système", "Processeur(s)", "Version du BIOS",
    "Répertoire Windows", "Répertoire système", "Périphérique d’amorçage",
    "Option régionale du système", "Paramètres régionaux d’entrée", "Fuseau horaire",
    "Mémoire physique totale", "Mémoire physique disponible", "Mémoire virtuelle : taille maximale",
    "Mémoire virtuelle : disponible", "Mémoire virtuelle : en cours d’utilisation",
    "Emplacements des fichiers d’échange", "Domaine", "Serveur d’ouverture de session",
    "Correctif(s)", "Carte(s) réseau",
)  # fmt: skip
"""Source: systeminfo of a French Windows 10."""


def output(labels: tuple[str, ...] = ENGLISH, **words: str) -> str:
    """Write an output with the labels of a language, the values below each other."""
    said = {
        "none": "N/A", "locale": "en-us;English (United States)", "total": "65,536 MB",
        "available": "1,417 MB", "most": "80,000 MB", "free": "1,482 MB", "used": "78,518 MB",
    } | words  # fmt: skip
    width = max(map(len, labels)) + 2
    lines = [""]
    for at, (label, value) in enumerate(zip(labels, ("CONTOSO1", *_VALUES), strict=True)):
        lines.append((label + ":").ljust(width) + value.format(**said))
        lines += [" " * width + below for below in _BELOW.get(at - 1, ())]
    return "\r\n".join([*lines, ""])


def captures() -> Iterator[tuple[str, bytes]]:
    yield "systeminfo.txt", output().encode()
