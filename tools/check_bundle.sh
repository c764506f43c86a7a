#!/usr/bin/env bash
# Open an offline bundle of Linux and make the report of a bundled sample in it: from a folder that nobody
# may write, with no network but the loopback of its own, as a user without a home.
set -euo pipefail
bundle=$(realpath "$1")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir "$work/opened" "$work/home" "$work/out"
python3 - "$bundle" "$work/opened" <<'PY'
import sys, zipfile
from pathlib import Path
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        Path(archive.extract(entry, sys.argv[2])).chmod(entry.external_attr >> 16)
PY
folder=$(echo "$work"/opened/*)
(cd "$folder" && sha256sum --check --quiet SHA256SUMS)
chmod -R a-w "$work/opened"
# Root may write whatever the modes say: the folder is mounted read-only, too.
run='set -eu
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
! touch "$1/x" 2>/dev/null
ip link set lo up 2>/dev/null || true
cd "$2/out"
"$1/agtrace" --version
"$1/agtrace" report "$1/lib/agtrace_samples/log_send_queue" --out "$2/out/report"
test -s "$2/out/report/transport.html"'
env -i PATH="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" HOME="$work/home" \
    AGTRACE_PYTHON="${AGTRACE_PYTHON:-}" LANG=C.UTF-8 \
    unshare --net --mount --map-root-user sh -c "$run" sh "$folder" "$work"
ls "$work/out/report"
