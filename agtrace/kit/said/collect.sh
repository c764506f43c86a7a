#!/usr/bin/env bash
# Collects on this server what is needed to tell {{ kind.about }}.
#
# Reads only, but for what it makes itself and takes away again at the end, also after Ctrl+C or an error.
# Run it as root, or as a member of the group mssql. README.txt tells more.
#
#   ./collect.sh [-S SERVER] [-U LOGIN] [-m MINUTES] [-l FOLDER] [-n] [REPLICA ...]
#
#   -S  the instance; default: localhost      -U  a login of SQL Server (its password in SQLCMDPASSWORD); default: Kerberos
#   -m  how long it collects; default: {{ kind.minutes }}    -n  say what would be done, and do nothing
#   -l  where the ERRORLOG lies; default: what mssql.conf says, else /var/opt/mssql/log
#   REPLICA  other replicas, to which the round trip is measured
set -euo pipefail

name={{ session }}
server=localhost
minutes={{ kind.minutes }}
dry=
conf=/var/opt/mssql/mssql.conf
# Of mssql-conf: filelocation.errorlogfile names the file.
logs=$(sed -n 's|^ *errorlogfile *= *\(.*\)/[^/]*$|\1|p' "$conf" 2>/dev/null | tail -n 1 || true)
logs=${logs:-/var/opt/mssql/log}
credentials=(-E)
while getopts 'S:U:m:l:n' option; do
    case $option in
        S) server=$OPTARG ;;
        U) credentials=(-U "$OPTARG") ;;
        m) minutes=$OPTARG ;;
        l) logs=$OPTARG ;;
        n) dry=1 ;;
        *) echo "usage: $0 [-S SERVER] [-U LOGIN] [-m MINUTES] [-l FOLDER] [-n] [REPLICA ...]" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[[ $minutes =~ ^[1-9][0-9]{0,4}$ ]] || { echo "-m wants a number of minutes, not $minutes" >&2; exit 2; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
machine=$(hostname -s)
out=$here/collected/$machine
seconds=$((minutes * 60))
running=()
{% if "session" in names %}has_session=
{% endif %}{% if plan.flags %}flags_set=()
{% endif %}
PATH=$PATH:/opt/mssql-tools18/bin:/opt/mssql-tools/bin
sqlcmd=$(command -v sqlcmd || true)
[[ -n $sqlcmd || -n $dry ]] || { echo "sqlcmd is not there: install mssql-tools18" >&2; exit 1; }

# -C: newer versions of sqlcmd refuse a server whose certificate nobody has signed, and this one is the machine's own.
to=(-S "$server" "${credentials[@]}" -C -b)
ask() { "$sqlcmd" "${to[@]}" "$@"; }

# One part that fails is told, and does not keep the others from being collected.
part() {
    local what=$1
    shift
    if [[ -n $dry ]]; then echo "would: $what"; return 0; fi
    echo "$what ..."
    "$@" || echo "warning: $what: it failed" >&2
}

cleanup() {
    local process round signal=TERM there
    # What has only just been started can lose the first signal: it is asked until it is gone, and not for ever.
    for ((round = 0; round < 40; round++)); do
        there=
        ((round < 30)) || signal=KILL
        for process in ${running[@]+"${running[@]}"}; do
            if kill -s "$signal" "$process" 2>/dev/null; then there=1; fi
        done
        [[ -n $there ]] || break
        sleep 0.1
    done
    wait 2>/dev/null || true
{% if plan.flags %}    local flag
    for flag in ${flags_set[@]+"${flags_set[@]}"}; do
        ask -Q "DBCC TRACEOFF ($flag, -1)" >/dev/null || echo "warning: trace flag $flag is still on: run trace_flags_off.sql" >&2
    done
    flags_set=()
{% endif %}{% if "session" in names %}    if [[ -n $has_session ]]; then
        ask -i "$here/session_stop.sql" || echo "warning: the session $name is still there: run session_stop.sql" >&2
        has_session=
    fi
{% endif %}    running=()
}
trap cleanup EXIT
trap 'exit 130' INT TERM

[[ -n $dry ]] || mkdir -p "$out"
# A machine without that locale has the one of C, which sysstat writes the same way.
{ export LC_TIME=en_US.UTF-8; } 2>/dev/null

{% if "session" in names %}start_session() { has_session=1; ask -i "$here/session_start.sql"; }
{% endif %}{% if plan.flags %}set_flags() {
    local flag state
    for flag in {{ plan.flags | join(" ") }}; do
        state=$(ask -h -1 -W -Q "SET NOCOUNT ON; DBCC TRACESTATUS ($flag, -1) WITH NO_INFOMSGS")
        [[ $state =~ ^[0-9]+[[:space:]]+1[[:space:]] ]] && continue
        ask -Q "DBCC TRACEON ($flag, -1)" >/dev/null && flags_set+=("$flag")
    done
}
{% endif %}{% if has_look %}look() { ask -i "$here/look.sql" -w 65535 -y 512 -o "$out/look_$1.txt"; }
{% endif %}start_loop() {
    # Not by way of a shell: what is ended later is sqlcmd itself.
    "$sqlcmd" "${to[@]}" -v Minutes="$minutes" -i "$here/$1.sql" -w 65535 -y 512 -o "$out/$1.txt" &
    running+=($!)
}
{% if "counters" in names %}start_sysstat() {
    command -v mpstat iostat sar >/dev/null || { echo "install sysstat: processors, disks and network are not logged" >&2; return 1; }
    mpstat -P ALL {{ kind.interval_s }} $((seconds / {{ kind.interval_s }})) >"$out/mpstat.txt" &
    running+=($!)
    iostat -d -k -t -x -y {{ kind.interval_s }} $((seconds / {{ kind.interval_s }})) >"$out/iostat.txt" &
    running+=($!)
    sar -n DEV {{ kind.interval_s }} $((seconds / {{ kind.interval_s }})) >"$out/sar_network.txt" &
    running+=($!)
}
{% endif %}{% for each in alone %}ask_{{ each }}() { ask -i "$here/{{ each }}.sql" -w 65535 -y 512 -o "$out/{{ each }}.txt"; }
{% endfor %}{% if "tcp_settings" in names %}keep_tcp() { sysctl -e net.ipv4.tcp_window_scaling net.ipv4.tcp_moderate_rcvbuf net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.core.rmem_max net.core.wmem_max net.ipv4.tcp_congestion_control net.ipv4.tcp_sack net.ipv4.tcp_timestamps net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_mtu_probing >"$out/sysctl_tcp.txt"; }
{% endif %}{% if "ping" in names %}measure() { ping -c 20 "$1" >"$out/ping_${1//[^A-Za-z0-9.-]/_}.txt"; }
{% endif %}wait_until() {
    local end=$((SECONDS + seconds + 5)) key
    echo "Collecting for $minutes minutes. The key q ends it earlier and packs what there is; Ctrl+C takes everything away and packs nothing."
    while ((SECONDS < end)); do
        if [[ -t 0 ]]; then
            read -r -s -n 1 -t 5 key && [[ $key == q ]] && return 0
        else
            sleep 5
        fi
    done
}

{% if "counters" in names %}part 'start mpstat, iostat and sar' start_sysstat
part 'log the counters of SQL Server' start_loop counters
{% endif %}{% if "session" in names %}part 'start the Extended Events session' start_session
{% endif %}{% if plan.flags %}part 'set the trace flags {{ plan.flags | join(", ") }}' set_flags
{% endif %}{% if has_look %}part 'look at the server' look begin
{% endif %}{% if has_repeat %}part 'look at the server every 15 s' start_loop repeat
{% endif %}{% for each in alone %}part 'ask for {{ each }}' ask_{{ each }}
{% endfor %}{% if "tcp_settings" in names %}part 'keep the TCP settings' keep_tcp
{% endif %}{% if "ping" in names %}for replica in "$@"; do part "measure the round trip to $replica" measure "$replica"; done
{% endif %}part 'collect' wait_until
{% if has_look %}part 'look at the server again' look end
{% endif %}[[ -n $dry ]] || cleanup

{% if "session" in names %}fetch_session() { mv "$logs/${name}"_0_*.xel "$out"/; }
part 'fetch the files of the session' fetch_session
{% endif %}{% if "errorlog" in names %}copy_errorlogs() { cp "$logs"/errorlog* "$out"/; }
part 'copy the ERRORLOGs' copy_errorlogs
{% endif %}{% if "health_sessions" in names %}copy_sessions() { cp "$logs"/AlwaysOn_health_0_*.xel "$logs"/system_health_0_*.xel "$out"/; }
part 'copy the files of AlwaysOn_health and system_health' copy_sessions
{% endif %}{% if "cluster_log" in names %}copy_cluster() {
    if command -v journalctl >/dev/null; then journalctl -u pacemaker -u corosync --since '14 days ago' --no-pager >"$out/pacemaker_journal.log"; fi
    if command -v crm_mon >/dev/null; then crm_mon -1 >"$out/crm_mon.txt"; fi
    if [[ -d /var/log/pacemaker ]]; then cp /var/log/pacemaker/pacemaker.log* "$out"/; fi
}
part 'copy the log of Pacemaker' copy_cluster
{% endif %}pack() { tar -czf "$here/${name}_$machine.tar.gz" -C "$here/collected" "$machine"; echo "Done. Send this file: $here/${name}_$machine.tar.gz"; }
part 'pack what was collected' pack
