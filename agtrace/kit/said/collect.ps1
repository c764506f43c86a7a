<#
.SYNOPSIS
Collects on this server what is needed to tell {{ kind.about }}.

.DESCRIPTION
Reads only, but for what it makes itself and takes away again at the end, also after Ctrl+C or an error:
{% if "counters" in names %}the data collector {{ session }} of Windows{% endif %}{% if "session" in names %}{{ ", " if "counters" in names }}the Extended Events session {{ session }}{% endif %}{% if plan.flags %}, the trace flags {{ plan.flags | join(", ") }}{% endif %}.
Run it in Windows PowerShell 5.1 as administrator. README.txt tells more. With -WhatIf it says what it would do, and does nothing.

.PARAMETER ServerInstance
The instance of SQL Server, such as SQL1 or SQL1\NAME. Default: the default instance of this machine.

.PARAMETER Minutes
How long it collects.

.PARAMETER Replica
Other replicas, to which the round trip is measured.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    [string] $ServerInstance = $env:COMPUTERNAME,
    [ValidateRange(1, 10080)] [int] $Minutes = {{ kind.minutes }},
    [string[]] $Replica = @()
)
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'

$name = '{{ session }}'
$here = $PSScriptRoot
$hostFolder = $env:COMPUTERNAME
$out = Join-Path $here "collected\$hostFolder"
$instance = if ($ServerInstance -match '\\(.+)$') { $Matches[1] } else { '' }
$problems = @()
$loop = @()
{% if "counters" in names %}$hasCollector = $false
{% endif %}{% if "session" in names %}$hasSession = $false
{% endif %}{% if plan.flags %}$flagsSet = @()
{% endif %}
# -C: newer versions of sqlcmd refuse a server whose certificate nobody has signed, and this one is the machine's own.
function Invoke-Sql([string] $Query) {
    $answer = & sqlcmd -S $ServerInstance -E -C -b -h -1 -W -w 8000 -Q "SET NOCOUNT ON; $Query"
    if ($LASTEXITCODE -ne 0) { throw "sqlcmd on ${ServerInstance}: $answer" }
    return $answer
}

function Invoke-SqlFile([string] $File, [string] $To) {
    $arguments = @('-S', $ServerInstance, '-E', '-C', '-b', '-i', (Join-Path $here $File))
    if ($To) { $arguments += @('-u', '-w', '65535', '-y', '512', '-o', (Join-Path $out $To)) }
    $answer = & sqlcmd @arguments
    if ($LASTEXITCODE -ne 0) { throw "$File on ${ServerInstance}: $answer" }
}

# One part that fails is told, and does not keep the others from being collected.
function Invoke-Part([string] $What, [scriptblock] $Do) {
    if (-not $PSCmdlet.ShouldProcess($ServerInstance, $What)) { return }
    Write-Host "$What ..."
    try { & $Do } catch { $script:problems += "${What}: $_"; Write-Warning "${What}: $_" }
}

function Copy-Open([string] $Path, [string] $To) {
    # Files that SQL Server still writes can be read, not moved.
    New-Item -ItemType Directory -Force -Path $To | Out-Null
    Copy-Item -LiteralPath $Path -Destination $To -Force
}
{% if "counters" in names %}
# Windows wants the names of counters in its own language: English names have numbers, which it translates.
function Get-CounterNames([string] $Language) {
    $key = "HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\$Language"
    $list = (Get-ItemProperty -Path $key -Name Counter).Counter
    $found = @{}
    for ($at = 0; $at + 1 -lt $list.Count; $at += 2) { $found[$list[$at]] = $list[$at + 1] }
    return $found
}

function Get-LocalPaths {
    $lines = Get-Content -LiteralPath (Join-Path $here 'counters.txt') | Where-Object { $_ -like '\*' }
    if ($instance) { $lines = $lines | ForEach-Object { $_ -replace '^\\SQLServer:', ('\MSSQL$$' + $instance + ':') } }
    $english = Get-CounterNames '009'
    $local = Get-CounterNames 'CurrentLanguage'
    $translated = @{}
    foreach ($number in $english.Keys) {
        if ($local.ContainsKey($number) -and -not $translated.ContainsKey($english[$number])) {
            $translated[$english[$number]] = $local[$number]
        }
    }
    foreach ($line in $lines) {
        if ($line -match '^\\(?<object>[^(\\]+)(?<instances>\([^\\]*\))?\\(?<counter>.+)$') {
            $object = $Matches['object']; $counter = $Matches['counter']; $instances = ''
            if ($Matches.ContainsKey('instances')) { $instances = $Matches['instances'] }
            if ($translated.ContainsKey($object)) { $object = $translated[$object] }
            if ($translated.ContainsKey($counter)) { $counter = $translated[$counter] }
            "\$object$instances\$counter"
        }
    }
}
{% endif %}
if (-not (Get-Command sqlcmd -ErrorAction SilentlyContinue)) {
    throw 'sqlcmd is not there: install the command line tools of SQL Server, or run this on the server itself.'
}
$logFolder = ''
if (-not $WhatIfPreference) {
    $logFolder = Split-Path -Parent (Invoke-Sql "SELECT CAST(SERVERPROPERTY('ErrorLogFileName') AS nvarchar(260));" | Select-Object -First 1)
    $major = [int] ((Invoke-Sql "SELECT PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4);") | Select-Object -First 1)
    if ($major -lt {{ least_major }}) { throw 'This kit is for SQL Server {{ plan.version or kind.least }} and later: ask for one for this version.' }
    New-Item -ItemType Directory -Force -Path $out | Out-Null
}

try {
{% if "counters" in names %}    Invoke-Part 'Start the performance counters, every {{ kind.interval_s }} s' {
        Get-LocalPaths | Set-Content -LiteralPath (Join-Path $out 'counters_used.txt') -Encoding Default
        & logman create counter $name -f bin -si 00:00:{{ "%02d" % kind.interval_s }} -cf (Join-Path $out 'counters_used.txt') -o (Join-Path $out 'perfmon') -v mmddhhmm -cnf 02:00:00 -y
        if ($LASTEXITCODE -ne 0) { throw "logman create ended with $LASTEXITCODE" }
        $script:hasCollector = $true
        & logman start $name
        if ($LASTEXITCODE -ne 0) { throw "logman start ended with $LASTEXITCODE" }
    }
{% endif %}{% if "session" in names %}    Invoke-Part 'Start the Extended Events session' {
        $script:hasSession = $true
        Invoke-SqlFile 'session_start.sql' ''
    }
{% endif %}{% if plan.flags %}    Invoke-Part 'Set the trace flags {{ plan.flags | join(", ") }}' {
        foreach ($flag in {{ plan.flags | join(", ") }}) {
            $state = Invoke-Sql "DBCC TRACESTATUS ($flag, -1) WITH NO_INFOMSGS;" | Select-Object -First 1
            if ("$state".Trim() -match '^\d+\s+1\s') { continue }
            Invoke-Sql "DBCC TRACEON ($flag, -1) WITH NO_INFOMSGS;" | Out-Null
            $script:flagsSet += $flag
        }
    }
{% endif %}{% if has_look %}    Invoke-Part 'Look at the server' { Invoke-SqlFile 'look.sql' 'look_begin.txt' }
{% endif %}{% if has_repeat %}    Invoke-Part 'Look at the server every 15 s' {
        $arguments = @('-S', $ServerInstance, '-E', '-C', '-v', "Minutes=$Minutes", '-i', ('"' + (Join-Path $here 'repeat.sql') + '"'), '-u', '-w', '65535', '-y', '512', '-o', ('"' + (Join-Path $out 'repeat.txt') + '"'))
        $script:loop += Start-Process -FilePath sqlcmd -ArgumentList $arguments -NoNewWindow -PassThru
    }
{% endif %}{% for each in alone %}    Invoke-Part 'Ask for {{ each }}' { Invoke-SqlFile '{{ each }}.sql' '{{ each }}.txt' }
{% endfor %}{% if "tcp_settings" in names %}    Invoke-Part 'Keep the TCP settings' {
        & netsh interface tcp show global | Set-Content -LiteralPath (Join-Path $out 'netsh.txt') -Encoding UTF8
        Get-NetTCPSetting | Out-String -Width 200 | Set-Content -LiteralPath (Join-Path $out 'tcp_settings.txt') -Encoding UTF8
    }
{% endif %}{% if "ping" in names %}    foreach ($each in $Replica) {
        Invoke-Part "Measure the round trip to $each" {
            & ping -n 20 $each | Set-Content -LiteralPath (Join-Path $out "ping_$($each -replace '[^A-Za-z0-9.-]', '_').txt") -Encoding UTF8
        }
    }
{% endif %}    if (-not $WhatIfPreference) {
        $until = (Get-Date).AddMinutes($Minutes)
        Write-Host "Collecting until $($until.ToString('HH:mm:ss')). The key Q ends it earlier and packs what there is; Ctrl+C takes everything away and packs nothing."
        while ((Get-Date) -lt $until) {
            Start-Sleep -Seconds 1
            $key = try { if ([Console]::KeyAvailable) { [Console]::ReadKey($true).Key } } catch { $null }
            if ("$key" -eq 'Q') { break }
        }
        if ((Get-Date) -ge $until) { foreach ($process in $loop) { $process.WaitForExit(60000) | Out-Null } }
    }
{% if has_look %}    Invoke-Part 'Look at the server again' { Invoke-SqlFile 'look.sql' 'look_end.txt' }
{% endif %}}
finally {
    foreach ($process in $loop) { if (-not $process.HasExited) { Stop-Process -InputObject $process -ErrorAction SilentlyContinue } }
{% if plan.flags %}    foreach ($flag in $flagsSet) {
        try { Invoke-Sql "DBCC TRACEOFF ($flag, -1) WITH NO_INFOMSGS;" | Out-Null }
        catch { Write-Warning "trace flag $flag is still on: run trace_flags_off.sql ($_)" }
    }
{% endif %}{% if "session" in names %}    if ($hasSession) {
        try { Invoke-SqlFile 'session_stop.sql' '' }
        catch { Write-Warning "the session $name is still there: run session_stop.sql ($_)" }
    }
{% endif %}{% if "counters" in names %}    if ($hasCollector) {
        & logman stop $name | Out-Null
        & logman delete $name | Out-Null
        if ($LASTEXITCODE -ne 0) { Write-Warning "the data collector $name is still there: logman stop $name, then logman delete $name" }
    }
{% endif %}}

{% if "session" in names %}Invoke-Part 'Fetch the files of the session' {
    foreach ($file in Get-ChildItem -LiteralPath $logFolder -Filter "${name}_0_*.xel") {
        Move-Item -LiteralPath $file.FullName -Destination $out -Force
    }
}
{% endif %}{% if "errorlog" in names %}Invoke-Part 'Copy the ERRORLOGs' {
    foreach ($file in Get-ChildItem -LiteralPath $logFolder -Filter 'ERRORLOG*') { Copy-Open $file.FullName $out }
}
{% endif %}{% if "health_sessions" in names %}Invoke-Part 'Copy the files of AlwaysOn_health, system_health and SQLDIAG' {
    foreach ($file in Get-ChildItem -LiteralPath $logFolder -Filter '*.xel') {
        if ($file.Name -match '^(AlwaysOn_health|system_health)_0_|_SQLDIAG_0_') { Copy-Open $file.FullName $out }
    }
}
{% endif %}{% if "cluster_log" in names %}Invoke-Part 'Copy the log and the settings of the cluster' {
    Get-ClusterLog -Node $env:COMPUTERNAME -UseLocalTime -Destination $out | Out-Null
    Get-Cluster | Format-List -Property * | Out-String -Width 200 | Set-Content -LiteralPath (Join-Path $out 'cluster.txt') -Encoding UTF8
    Get-ClusterResource | Get-ClusterParameter | Format-Table -AutoSize | Out-String -Width 300 | Set-Content -LiteralPath (Join-Path $out 'cluster_parameters.txt') -Encoding UTF8
}
{% endif %}{% if "event_log" in names %}Invoke-Part 'Copy the System event log of the last 14 days' {
    & wevtutil epl System (Join-Path $out 'System.evtx') '/q:*[System[TimeCreated[timediff(@SystemTime) <= 1209600000]]]' /ow:true
    if ($LASTEXITCODE -ne 0) { throw "wevtutil ended with $LASTEXITCODE" }
}
{% endif %}Invoke-Part 'Pack what was collected' {
    Add-Type -AssemblyName System.IO.Compression.FileSystem
    $zip = Join-Path $here "${name}_$hostFolder.zip"
    if (Test-Path -LiteralPath $zip) { Remove-Item -LiteralPath $zip }
    [System.IO.Compression.ZipFile]::CreateFromDirectory((Join-Path $here 'collected'), $zip)
    Write-Host "Done. Send this file: $zip"
}
foreach ($problem in $problems) { Write-Warning $problem }
