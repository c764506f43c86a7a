#!/usr/bin/env bash
# Collects on this server what is needed to tell {{ kind.about }}.
#
# Reads only, but for what it turns on itself and turns off again at the end, also after Ctrl+C or an error.
# Run it as root, or as a member of the group mssql. README.txt describes the rest.
#
#   ./collect.sh [-S SERVER] [-U LOGIN] [-m MINUTES] [-l FOLDER] [-n] [REPLICA ...]
#
#   -S  the instance; default: localhost      -U  a login of SQL Server (its password in SQLCMDPASSWORD); default: Kerberos
#   -m  how long it collects; default: {{ kind.minutes }}    -n  print what would be done, and do nothing
#   -l  the folder of the ERRORLOG; default: what mssql.conf says, else /var/opt/mssql/log
#   REPLICA  other replicas, to which the round trip is measured
set -euo pipefail
umask 077

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
printf -v now '%(%Y%m%d_%H%M%S)T' -1
# A folder for each run: nothing of an earlier one is packed.
run=$here/collected/${now}_$$
out=$run/$machine
archive=$here/${name}_${machine}_$now.tar.gz
still_on=$here/STILL_ON_$machine.txt
seconds=$((minutes * 60))
warnings=0
started=()
flags_set=()
has_session=
session_ran=
begun=
packed=
turning_off=
over=
left=
PATH=$PATH:/opt/mssql-tools18/bin:/opt/mssql-tools/bin
sqlcmd=$(command -v sqlcmd || true)
[[ -n $sqlcmd || -n $dry ]] || { echo "sqlcmd is missing: install mssql-tools18" >&2; exit 1; }

# -C: newer versions of sqlcmd refuse a server with a self-signed certificate, and this one is the machine's own.
to=(-S "$server" "${credentials[@]}" -C -b -l 15)
ask() { "$sqlcmd" "${to[@]}" "$@"; }
# Ctrl+C reaches the programs that run, too: it must not end what turns things off.
to_the_end() { (trap '' INT TERM HUP QUIT; "$@"); }
value() { ask -h -1 -W -Q "SET NOCOUNT ON; $1"; }
warn() { warnings=$((warnings + 1)); echo "warning: $1" >&2; }

# One part that fails is reported, and the others are still collected.
part() {
    local what=$1
    shift
    if [[ -n $dry ]]; then echo "would: $what"; return 0; fi
    echo "$what ..."
    "$@" || warn "$what: it failed"
}

check_server() {
    local version
    if ! version=$(value "SELECT PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4)"); then
        echo "$server does not answer or refuses the login. Nothing was started. $version" >&2
        exit 1
    fi
    if ! [[ $version =~ ^[[:space:]]*([0-9]{1,3})[[:space:]]*$ ]] || ((BASH_REMATCH[1] < {{ least_major }})); then
        echo "This kit is for SQL Server {{ plan.version or kind.least }} and later; $server has version ${version:-unknown}. Nothing was started." >&2
        exit 1
    fi
}

# What is turned on is noted before, so that a killed run leaves a list of it.
note() { printf '%s\n' "$@" >>"$still_on"; }
note_header() {
    note "collect.sh writes here what it is about to turn on. If it was killed, run it again: it turns off what is listed." \
        "By hand: README.txt. mpstat, iostat, sar and sqlcmd end by themselves after their $minutes minutes." "process $$" "server ${to[1]}"
}

is_off() {
    local state
    state=$(to_the_end ask -t 60 -h -1 -W -Q "SET NOCOUNT ON; DBCC TRACESTATUS ($1, -1) WITH NO_INFOMSGS") && ! [[ $state =~ ^[0-9]+[[:space:]]+1[[:space:]] ]]
}
is_gone() {
    [[ $(to_the_end ask -t 60 -h -1 -W -Q "SET NOCOUNT ON; SELECT COUNT(*) FROM sys.server_event_sessions WHERE name = N'$name'") =~ ^[[:space:]]*0 ]]
}

turn_off_flags() {
    local flag on=()
    for flag in ${flags_set[@]+"${flags_set[@]}"}; do
        if to_the_end ask -t 60 -Q "DBCC TRACEOFF ($flag, -1)" >/dev/null || is_off "$flag"; then continue; fi
        warn "trace flag $flag could not be turned off: run trace_flags_off.sql"
        on+=("$flag")
    done
    flags_set=(${on[@]+"${on[@]}"})
}

turn_off_session() {
    [[ -n $has_session ]] || return 0
    if to_the_end ask -t 60 -i "$here/session_stop.sql" || is_gone; then
        has_session=
    else
        warn "the session $name could not be turned off: run session_stop.sql"
    fi
}

# The list of what is on holds at any time: it is replaced as a whole, and removed when nothing is left.
keep_note() {
    local list=$still_on flag
    left=
    if [[ -z $has_session && -z ${flags_set[*]-} ]]; then
        rm -f "$list"
        return
    fi
    left=1
    still_on=$list.new
    rm -f "$still_on"
    note_header && for flag in ${flags_set[@]+"${flags_set[@]}"}; do note "trace flag $flag" || break; done &&
        { [[ -z $has_session ]] || note "session $name"; } && mv -f "$still_on" "$list"
    rm -f "$still_on"
    still_on=$list
    echo "What may still be on is listed in $still_on" >&2
}

turn_off() {
    turn_off_flags
    turn_off_session
    keep_note
}

end_processes() {
    local each process round signal=TERM
    for each in ${started[@]+"${started[@]}"}; do
        process=${each%% *}
        if ! kill -s 0 "$process" 2>/dev/null; then wait "$process" 2>/dev/null || warn "${each#* } ended early"; fi
    done
    # A process that has only just been started can lose the first signal.
    for ((round = 0; round < 40; round++)); do
        ((round < 30)) || signal=KILL
        [[ -n $(jobs -pr) ]] || break
        for process in $(jobs -pr); do kill -s "$signal" "$process" 2>/dev/null; done
        sleep 0.1
    done
    wait 2>/dev/null
    started=()
}

# The files of the session that this run has made, not those of an earlier one.
session_files() {
    local file
    for file in "$logs/${name}"_0_*.xel; do [[ ! -e $file ]] || echo "$file"; done
}
earlier_files=
fetch_session() {
    local file found=
    while IFS= read -r file; do
        [[ -n $file && $'\n'$earlier_files$'\n' != *$'\n'"$file"$'\n'* ]] || continue
        to_the_end mv "$file" "$out"/ && chmod 600 "$out/${file##*/}" || return 1
        found=1
    done <<<"$(session_files)"
    # A session that did not start has no files.
    [[ -n $found || -z $session_ran ]]
}

# From here on a signal is kept until all is off; a failed echo must not end it either.
leave() {
    local had_session=$has_session
    turning_off=1
    set +e
    end_processes
    turn_off
    if [[ -n $had_session && -z $has_session ]] && ! fetch_session; then
        warn "the files of the session $name could not be fetched from $logs"
    fi
    set -e
    over=1
    turning_off=
}

finish() {
    local status=$?
    trap - EXIT
    set +e
    [[ -n $begun ]] || exit "$status"
    [[ -n $over ]] || leave
    turning_off=1
    set +e
    if [[ -z $packed ]]; then
        rm -f "$run/packing.tar.gz"
        echo "Not packed: there is no file to send. What was collected is in $run" >&2
        ((status)) || status=1
    fi
    [[ -z $left ]] || status=1
    exit "$status"
}
stopped=
stop() { stopped=$1; [[ -n $turning_off ]] || exit "$1"; }

# An earlier run that was killed has left its list.
turn_off_earlier() {
    local process now=("${to[@]}")
    [[ -f $still_on ]] || return 0
    process=$(sed -n 's/^process \([0-9][0-9]*\)$/\1/p' "$still_on")
    if [[ -n $process ]] && grep -qs 'collect[.]sh' "/proc/$process/cmdline"; then
        echo "collect.sh runs already (process $process). Nothing was started." >&2
        exit 1
    fi
    mapfile -t flags_set < <(sed -n 's/^trace flag \([0-9][0-9]*\)$/\1/p' "$still_on")
    if grep -qx "session $name" "$still_on"; then has_session=1; fi
    [[ -z $has_session && -z ${flags_set[*]-} ]] || echo "An earlier run was killed: turning off what it left on ..."
    to[1]=$(sed -n 's/^server //p' "$still_on")
    turn_off
    to=("${now[@]}")
    [[ -z $left ]] || exit 1
}

begin() {
    trap 'stop 130' INT
    trap 'stop 129' HUP
    trap 'stop 131' QUIT
    trap 'stop 141' PIPE
    trap 'stop 143' TERM
    check_server
    turn_off_earlier
    trap finish EXIT
    if ! note_header; then
        rm -f "$still_on"
        echo "$here cannot be written to. Nothing was started." >&2
        exit 1
    fi
    begun=1
    mkdir -p "$here/collected"
    mkdir "$run" "$out"
{% if "session" in names %}    earlier_files=$(session_files)
    [[ -z $earlier_files ]] || printf 'Files of an earlier run are left where they are; delete them:\n%s\n' "$earlier_files"
{% endif %}}
[[ -n $dry ]] || begin
# A machine without that locale has the one of C, which sysstat writes the same way.
{ export LC_TIME=en_US.UTF-8; } 2>/dev/null

{% if "session" in names %}start_session() {
    note "session $name" || return 1
    has_session=1
    ask -i "$here/session_start.sql" && session_ran=1
}
{% endif %}{% if plan.flags %}set_flags() {
    local flag state failed=
    for flag in {{ plan.flags | join(" ") }}; do
        state=$(value "DBCC TRACESTATUS ($flag, -1) WITH NO_INFOMSGS") || return 1
        if [[ $state =~ ^[0-9]+[[:space:]]+1[[:space:]] ]]; then continue; fi
        note "trace flag $flag" || return 1
        flags_set+=("$flag")
        ask -Q "DBCC TRACEON ($flag, -1)" >/dev/null || failed=1
    done
    [[ -z $failed ]]
}
{% endif %}{% if has_look %}look() { ask -i "$here/look.sql" -w 65535 -y 512 -o "$out/look_$1.txt"; }
{% endif %}# Not by way of a shell: what is ended later is the program itself.
start() {
    local what=$1 into=$2
    shift 2
    "$@" >"$into" &
    started+=("$! $what")
}
start_loop() { start "$1.sql" /dev/null "$sqlcmd" "${to[@]}" -v Minutes="$minutes" -i "$here/$1.sql" -w 65535 -y 512 -o "$out/$1.txt"; }
{% if "counters" in names %}start_sysstat() {
    local tool missing='' every=({{ kind.interval_s }} $((seconds / {{ kind.interval_s }})))
    for tool in mpstat iostat sar; do
        if ! command -v "$tool" >/dev/null; then echo "$tool is missing: install sysstat" >&2; missing=1; continue; fi
        case $tool in
            mpstat) start mpstat "$out/mpstat.txt" mpstat -P ALL "${every[@]}" ;;
            iostat) start iostat "$out/iostat.txt" iostat -d -k -t -x -y "${every[@]}" ;;
            sar) start sar "$out/sar_network.txt" sar -n DEV "${every[@]}" ;;
        esac
    done
    [[ -z $missing ]]
}
{% endif %}{% for each in alone %}ask_{{ each }}() { ask -i "$here/{{ each }}.sql" -w 65535 -y 512 -o "$out/{{ each }}.txt"; }
{% endfor %}{% if "tcp_settings" in names %}keep_tcp() { sysctl -e net.ipv4.tcp_window_scaling net.ipv4.tcp_moderate_rcvbuf net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.core.rmem_max net.core.wmem_max net.ipv4.tcp_congestion_control net.ipv4.tcp_sack net.ipv4.tcp_timestamps net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_mtu_probing >"$out/sysctl_tcp.txt"; }
{% endif %}{% if "ping" in names %}measure() { ping -c 20 "$1" >"$out/ping_${1//[^A-Za-z0-9.-]/_}.txt"; }
{% endif %}wait_until() {
    local end=$((SECONDS + seconds + 5)) key
    echo "Collecting for $minutes minutes. The key q ends it earlier and packs what there is; Ctrl+C turns everything off and packs nothing."
    while ((SECONDS < end)); do
        if [[ -t 0 ]]; then
            if read -r -s -n 1 -t 5 key && [[ $key == q ]]; then return 0; fi
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
{% endif %}[[ -z $dry ]] || echo 'would: turn off what was turned on, and copy:'
if [[ -z $dry ]]; then
    leave
    [[ -z $stopped ]] || exit "$stopped"
fi

{% if "errorlog" in names %}copy_errorlogs() { cp "$logs"/errorlog* "$out"/; }
part 'copy the ERRORLOGs' copy_errorlogs
{% endif %}{% if "health_sessions" in names %}copy_sessions() { cp "$logs"/AlwaysOn_health_0_*.xel "$logs"/system_health_0_*.xel "$out"/; }
part 'copy the files of AlwaysOn_health and system_health' copy_sessions
{% endif %}{% if "cluster_log" in names %}copy_cluster() {
    local failed=
    if command -v journalctl >/dev/null; then journalctl -u pacemaker -u corosync --since '14 days ago' --no-pager >"$out/pacemaker_journal.log" || failed=1; fi
    if command -v crm_mon >/dev/null; then crm_mon -1 >"$out/crm_mon.txt" || failed=1; fi
    if [[ -d /var/log/pacemaker ]]; then cp /var/log/pacemaker/pacemaker.log* "$out"/ || failed=1; fi
    [[ -z $failed ]]
}
part 'copy the log of Pacemaker' copy_cluster
{% endif %}# The archive has its name only when it is whole.
pack() { tar -czf "$run/packing.tar.gz" -C "$run" "$machine" && mv -f "$run/packing.tar.gz" "$archive" && packed=1; }
if [[ -n $dry ]]; then echo 'would: pack what was collected'; exit 0; fi
echo 'pack what was collected ...'
pack || exit 1
if ((warnings == 0)); then
    echo "Done. Send this file: $archive"
else
    plural=s
    ((warnings > 1)) || plural=
    echo "Done, with $warnings warning$plural (above). Send this file: $archive"
fi
