"""Write what a release is made of, as CycloneDX 1.6: python tools/sbom.py FILE

agtrace with every extra at the versions of requirements.lock (without what only developers need), xelib with
the crates of Cargo.lock, plotly.js; licences as docs/licences.md has them. One list gives one file.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from document_licences import read_back
from pins import ROOT, own_version, pins
from sync_environment import needed_to_run

PLOTLY = re.compile(r"plotly\.js \(cartesian - minified\) v(?P<version>[\d.]+)")


def component(kind: str, name: str, version: str, licence: str, hashes: list[str]) -> dict[str, Any]:
    """Describe one part by its package URL."""
    purl = f"pkg:{kind}/{name}@{version}"
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
    }
    if licence:
        made["licenses"] = [{"expression": licence}] if " " in licence else [{"license": {"name": licence}}]
    if len(hashes) == 1:
        made["hashes"] = [{"alg": "SHA-256", "content": hashes[0]}]
    return made


def bill() -> dict[str, Any]:
    """Return the whole list."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    licences = read_back(page)
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    wanted = needed_to_run(project, lock)
    pinned = pins(lock)
    parts = [
        component("pypi", pin.name, pin.version, licences.get((pin.name, pin.version), ""), [])
        for pin in pinned
        if pin.name in wanted
    ]
    crates = tomllib.loads((ROOT / "xelib" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    for crate in crates:
        name, version = crate["name"], crate["version"]
        kind, licence = (
            ("cargo", licences.get((name, version), "")) if "checksum" in crate else ("pypi", "MIT")
        )
        parts.append(
            component(kind, name, version, licence, [crate[key] for key in ("checksum",) if key in crate])
        )
    script = ROOT / "agtrace" / "report" / "plotly" / "plotly-cartesian.min.js.gz"
    found = PLOTLY.search(gzip.decompress(script.read_bytes())[:500].decode("utf-8"))
    if found is None:
        raise SystemExit(f"{script}: says no version of plotly.js")
    parts.append(component("npm", "plotly.js-cartesian-dist-min", found["version"], "MIT", []))
    own = component("pypi", project["name"], own_version(), project["license"], [])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own | {"type": "application"}},
        "components": sorted(parts, key=lambda part: part["purl"]),
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": sorted(part["bom-ref"] for part in parts)}],
    }


def main() -> int:
    """Write the file that is named."""
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
