<#
.SYNOPSIS
Collects on this server what is needed to tell {{ kind.about }}.

.DESCRIPTION
Reads only, but for what it turns on itself and turns off again at the end, also after Ctrl+C or an error:
{% if "counters" in names %}the data collector {{ session }} of Windows{% endif %}{% if "session" in names %}{{ ", " if "counters" in names }}the Extended Events session {{ session }}{% endif %}{% if plan.flags %}, the trace flags {{ plan.flags | join(", ") }}{% endif %}.
Run it in Windows PowerShell 5.1 as administrator. README.txt describes the rest. With -WhatIf it prints what it would do, and does nothing.

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
$now = Get-Date -Format 'yyyyMMdd_HHmmss'
# A folder for each run: nothing of an earlier one is packed.
$run = Join-Path $here "collected\${now}_$PID"
$out = Join-Path $run $hostFolder
$archive = Join-Path $here "${name}_${hostFolder}_$now.zip"
$stillOn = Join-Path $here "STILL_ON_$hostFolder.txt"
$instance = if ($ServerInstance -match '\\(.+)$') { $Matches[1] } else { '' }
$problems = @()
$loop = @()
$left = @()
$hasCollector = $false
$hasSession = $false
$flagsSet = @()
$earlierFiles = @()
$finished = $false
$packed = $false

# -C: newer versions of sqlcmd refuse a server whose certificate nobody has signed, and this one is the machine's own.
function Invoke-Sql([string] $Query) {
    $answer = & sqlcmd -S $ServerInstance -E -C -b -l 15 -h -1 -W -w 8000 -Q "SET NOCOUNT ON; $Query"
    if ($LASTEXITCODE -ne 0) { throw "sqlcmd on ${ServerInstance}: $answer" }
    return $answer
}

function Invoke-SqlFile([string] $File, [string] $To) {
    $arguments = @('-S', $ServerInstance, '-E', '-C', '-b', '-l', '15', '-i', (Join-Path $here $File))
    if ($To) { $arguments += @('-u', '-w', '65535', '-y', '512', '-o', (Join-Path $out $To)) }
    $answer = & sqlcmd @arguments
    if ($LASTEXITCODE -ne 0) { throw "$File on ${ServerInstance}: $answer" }
}

# One part that fails is reported, and the others are still collected.
function Invoke-Part([string] $What, [scriptblock] $Do) {
    if (-not $PSCmdlet.ShouldProcess($ServerInstance, $What)) { return }
    Write-Host "$What ..."
    try { & $Do } catch { $script:problems += "${What}: $_"; Write-Warning "${What}: $_" }
}

# Only administrators, the system (which writes the counters) and whoever runs this may read what is collected.
function Protect-Path([string] $Path, [bool] $IsFolder) {
    $kind = if ($IsFolder) { 'DirectorySecurity' } else { 'FileSecurity' }
    $inherit = if ($IsFolder) { 'ContainerInherit, ObjectInherit' } else { 'None' }
    try {
        $acl = New-Object "System.Security.AccessControl.$kind"
        $acl.SetAccessRuleProtection($true, $false)
        $readers = @([System.Security.Principal.WindowsIdentity]::GetCurrent().User.Value, 'S-1-5-32-544', 'S-1-5-18')
        foreach ($sid in $readers) {
            $reader = New-Object System.Security.Principal.SecurityIdentifier $sid
            $acl.AddAccessRule((New-Object System.Security.AccessControl.FileSystemAccessRule $reader, 'FullControl', $inherit, 'None', 'Allow'))
        }
        Set-Acl -LiteralPath $Path -AclObject $acl
    }
    catch { $script:problems += "others may be able to read ${Path}: $_" }
}

# What is turned on is noted before, so that a killed run leaves a list of it.
function Add-Note([string] $Line) { [System.IO.File]::AppendAllText($stillOn, "$Line`r`n") }

function Get-NoteHeader {
    'collect.ps1 writes here what it is about to turn on. If it was killed, run it again: it turns off what is listed.'
    'By hand: README.txt. sqlcmd ends by itself when its minutes are over.'
    "process $PID $((Get-Process -Id $PID).StartTime.Ticks)"
    "server $ServerInstance"
}
{% if plan.flags %}
function Test-FlagOff([int] $Flag) {
    try { $state = Invoke-Sql "DBCC TRACESTATUS ($Flag, -1) WITH NO_INFOMSGS;" | Select-Object -First 1 } catch { return $false }
    return "$state".Trim() -notmatch '^\d+\s+1\s'
}
{% endif %}{% if "session" in names %}
function Test-SessionGone {
    try { $count = Invoke-Sql "SELECT COUNT(*) FROM sys.server_event_sessions WHERE name = N'$name';" | Select-Object -First 1 } catch { return $false }
    return "$count".Trim() -eq '0'
}
{% endif %}
# Turns off what is on. The list holds at any time: it is replaced as a whole, and removed when nothing is left.
function Stop-All {
    $script:left = @()
{% if plan.flags %}    foreach ($flag in $flagsSet) {
        try { Invoke-Sql "DBCC TRACEOFF ($flag, -1) WITH NO_INFOMSGS;" | Out-Null }
        catch {
            if (-not (Test-FlagOff $flag)) {
                $script:left += "trace flag $flag"
                Write-Warning "trace flag $flag could not be turned off: run trace_flags_off.sql ($_)"
            }
        }
    }
{% endif %}{% if "session" in names %}    if ($hasSession) {
        try { Invoke-SqlFile 'session_stop.sql' ''; $script:hasSession = $false }
        catch {
            if (Test-SessionGone) { $script:hasSession = $false }
            else {
                $script:left += "session $name"
                Write-Warning "the session $name could not be turned off: run session_stop.sql ($_)"
            }
        }
    }
{% endif %}{% if "counters" in names %}    if ($hasCollector) {
        & logman stop $name | Out-Null
        & logman delete $name | Out-Null
        if ($LASTEXITCODE -ne 0) {
            & logman query $name | Out-Null
            if ($LASTEXITCODE -eq 0) {
                $script:left += "collector $name"
                Write-Warning "the data collector $name could not be removed: logman stop $name, then logman delete $name"
            }
        }
    }
{% endif %}    if ($left.Count -eq 0) { Remove-Item -LiteralPath $stillOn -Force -ErrorAction SilentlyContinue; return }
    try {
        [System.IO.File]::WriteAllLines("$stillOn.new", [string[]] (@(Get-NoteHeader) + $left))
        Move-Item -LiteralPath "$stillOn.new" -Destination $stillOn -Force
    }
    catch { Remove-Item -LiteralPath "$stillOn.new" -Force -ErrorAction SilentlyContinue }
    Write-Warning "What may still be on is listed in $stillOn"
}

# An earlier run that was killed has left its list.
function Stop-Earlier {
    if (-not (Test-Path -LiteralPath $stillOn)) { return }
    $asked = $ServerInstance
    foreach ($line in @(Get-Content -LiteralPath $stillOn)) {
        if ($line -match '^process (\d+) (\d+)$') {
            $other = Get-Process -Id $Matches[1] -ErrorAction SilentlyContinue
            if ($other -and "$($other.StartTime.Ticks)" -eq $Matches[2]) { throw "collect.ps1 runs already (process $($other.Id)). Nothing was started." }
        }
        if ($line -match '^server (.+)$') { $script:ServerInstance = $Matches[1] }
        if ($line -match '^trace flag (\d+)$') { $script:flagsSet += [int] $Matches[1] }
        if ($line -eq "session $name") { $script:hasSession = $true }
        if ($line -eq "collector $name") { $script:hasCollector = $true }
    }
    if ($flagsSet.Count -or $hasSession -or $hasCollector) { Write-Host 'An earlier run was killed: turning off what it left on ...' }
    try { Stop-All } finally { $script:ServerInstance = $asked }
    if ($left.Count) { throw 'Something of an earlier run may still be on. Nothing was started.' }
    $script:flagsSet = @()
    $script:hasSession = $false
    $script:hasCollector = $false
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
    throw 'sqlcmd is missing: install the command line tools of SQL Server, or run this on the server itself.'
}
$logFolder = ''
if (-not $WhatIfPreference) {
    try { $version = "$(Invoke-Sql "SELECT PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4);" | Select-Object -First 1)".Trim() }
    catch { throw "$ServerInstance does not answer or refuses the login. Nothing was started. $_" }
    if ($version -notmatch '^\d{1,3}$' -or [int] $version -lt {{ least_major }}) {
        throw "This kit is for SQL Server {{ plan.version or kind.least }} and later; $ServerInstance has version $version. Nothing was started."
    }
    $logFolder = Split-Path -Parent (Invoke-Sql "SELECT CAST(SERVERPROPERTY('ErrorLogFileName') AS nvarchar(260));" | Select-Object -First 1)
    Stop-Earlier
    try { [System.IO.File]::WriteAllLines($stillOn, [string[]] @(Get-NoteHeader)) }
    catch { throw "$here cannot be written to. Nothing was started. $_" }
}

try {
    if (-not $WhatIfPreference) {
        New-Item -ItemType Directory -Force -Path (Join-Path $here 'collected') | Out-Null
        New-Item -ItemType Directory -Path $run | Out-Null
        Protect-Path $run $true
        New-Item -ItemType Directory -Path $out | Out-Null
{% if "session" in names %}        $earlierFiles = @(Get-ChildItem -LiteralPath $logFolder -Filter "${name}_0_*.xel" | ForEach-Object { $_.FullName })
        foreach ($file in $earlierFiles) { Write-Host "A file of an earlier run is left where it is; delete it: $file" }
{% endif %}    }
{% if "counters" in names %}    Invoke-Part 'Start the performance counters, every {{ kind.interval_s }} s' {
        Get-LocalPaths | Set-Content -LiteralPath (Join-Path $out 'counters_used.txt') -Encoding Default
        Add-Note "collector $name"
        $script:hasCollector = $true
        & logman create counter $name -f bin -si 00:00:{{ "%02d" % kind.interval_s }} -cf (Join-Path $out 'counters_used.txt') -o (Join-Path $out 'perfmon') -v mmddhhmm -cnf 02:00:00 -y
        if ($LASTEXITCODE -ne 0) { throw "logman create ended with $LASTEXITCODE" }
        & logman start $name
        if ($LASTEXITCODE -ne 0) { throw "logman start ended with $LASTEXITCODE" }
    }
{% endif %}{% if "session" in names %}    Invoke-Part 'Start the Extended Events session' {
        Add-Note "session $name"
        $script:hasSession = $true
        Invoke-SqlFile 'session_start.sql' ''
    }
{% endif %}{% if plan.flags %}    Invoke-Part 'Set the trace flags {{ plan.flags | join(", ") }}' {
        foreach ($flag in {{ plan.flags | join(", ") }}) {
            $state = Invoke-Sql "DBCC TRACESTATUS ($flag, -1) WITH NO_INFOMSGS;" | Select-Object -First 1
            if ("$state".Trim() -match '^\d+\s+1\s') { continue }
            Add-Note "trace flag $flag"
            $script:flagsSet += $flag
            Invoke-Sql "DBCC TRACEON ($flag, -1) WITH NO_INFOMSGS;" | Out-Null
        }
    }
{% endif %}{% if has_look %}    Invoke-Part 'Look at the server' { Invoke-SqlFile 'look.sql' 'look_begin.txt' }
{% endif %}{% if has_repeat %}    Invoke-Part 'Look at the server every 15 s' {
        $arguments = @('-S', $ServerInstance, '-E', '-C', '-v', "Minutes=$Minutes", '-i', ('"' + (Join-Path $here 'repeat.sql') + '"'), '-u', '-w', '65535', '-y', '512', '-o', ('"' + (Join-Path $out 'repeat.txt') + '"'))
        $process = Start-Process -FilePath sqlcmd -ArgumentList $arguments -NoNewWindow -PassThru
        # Without its handle, the exit code of a process is lost when it ends.
        $null = $process.Handle
        $script:loop += $process
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
        Write-Host "Collecting until $($until.ToString('HH:mm:ss')). The key Q ends it earlier and packs what there is; Ctrl+C turns everything off and packs nothing."
        while ((Get-Date) -lt $until) {
            Start-Sleep -Seconds 1
            $key = try { if ([Console]::KeyAvailable) { [Console]::ReadKey($true).Key } } catch { $null }
            if ("$key" -eq 'Q') { break }
        }
        if ((Get-Date) -ge $until) { foreach ($process in $loop) { $process.WaitForExit(60000) | Out-Null } }
    }
{% if has_look %}    Invoke-Part 'Look at the server again' { Invoke-SqlFile 'look.sql' 'look_end.txt' }
{% endif %}    $finished = $true
}
finally {
    # A second Ctrl+C must not end what turns things off. Without a console there is none.
    try { [Console]::TreatControlCAsInput = $true } catch { $null = $_ }
    foreach ($process in $loop) {
        if (-not $process.HasExited) { Stop-Process -InputObject $process -ErrorAction SilentlyContinue }
        elseif ($process.ExitCode) { $problems += "sqlcmd (repeat.sql) ended early with $($process.ExitCode)" }
    }
    if (-not $WhatIfPreference) {
{% if "session" in names %}        $hadSession = $hasSession
{% endif %}        Stop-All
{% if "session" in names %}        if ($hadSession -and -not $hasSession) {
            try {
                foreach ($file in Get-ChildItem -LiteralPath $logFolder -Filter "${name}_0_*.xel") {
                    if ($earlierFiles -notcontains $file.FullName) { Move-Item -LiteralPath $file.FullName -Destination $out -Force }
                }
            }
            catch { $problems += "the files of the session $name could not be fetched from ${logFolder}: $_" }
        }
{% endif %}        if (-not $finished) { Write-Warning "Not packed: there is no file to send. What was collected is in $run" }
    }
    try { [Console]::TreatControlCAsInput = $false } catch { $null = $_ }
}

{% if "errorlog" in names %}Invoke-Part 'Copy the ERRORLOGs' {
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
    $packing = Join-Path $run 'packing.zip'
    try {
        Add-Type -AssemblyName System.IO.Compression.FileSystem
        [System.IO.Compression.ZipFile]::CreateFromDirectory($out, $packing, [System.IO.Compression.CompressionLevel]::Optimal, $true)
        Protect-Path $packing $false
        # The archive has its name only when it is whole.
        Move-Item -LiteralPath $packing -Destination $archive
        $script:packed = $true
    }
    finally { if (-not $packed) { Remove-Item -LiteralPath $packing -Force -ErrorAction SilentlyContinue } }
}
if ($WhatIfPreference) { return }
foreach ($problem in $problems) { Write-Warning $problem }
if (-not $packed) {
    Write-Warning "Not packed: there is no file to send. What was collected is in $run"
    exit 1
}
$with = if ($problems.Count) { ", with $($problems.Count) warnings (above)" } else { '' }
Write-Host "Done$with. Send this file: $archive"
if ($left.Count) { exit 1 }
