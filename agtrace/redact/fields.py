"""What values hold whose meaning a name beside them says: fields of events and messages, facts, cells of rowsets."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from agtrace.redact.dictionary import COMPOSITE
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, INSTANCE, LISTENER, LOGIN, NAME
from agtrace.redact.text import DROPPED_STATEMENT, Texts

PATH, SQL, XML, WORDS, TEXT = "path", "sql", "xml", "words", "text"
CELL, LABEL, NAMED, NOTHING = "cell", "label", "named", "nothing"

_KINDS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (NOTHING, r"(?:action_)?(?:sql_text|tsql_stack|tsql_frame|batch_text|input_?buffer|query_plan|showplan_xml|"
                  r"plan_handle|parameters|stmt_text|callstack_rva)"),
        (SQL, r"(?:action_)?(?:statement|command|command_text|sql|query)"),
        (XML, r"(?:data|xml_report|blocked_process)"),
        (DATABASE, r"(?:action_)?(?:database|database_name|dbname|db_name|db|local_database_name|ag_database|"
                   r"source_database_name|target_database_name|currentdbname)"),
        (GROUP, r"ag|ag_?name|group_name|availability_?group(?:_name| name)?|group|ag_?group|owner_group"),
        (INSTANCE, r"(?:sql_)?instance(?:_?name)?"),
        (LISTENER, r"listener(?:_name)?|dns_name|listenername|virtual_network_name"),
        (LOGIN, r"(?:action_)?(?:user|login|user_?name|login_name|nt_user_?name|session_nt_user_?name|nt_user|"
                r"server_principal_name|session_server_principal_name|account|owner|by|original_login_name|"
                r"owner_name|nt_domain|host_user)"),
        (NAMED, r"item|resource|resource_name|object_name"),
        (HOST, r"(?:action_)?(?:host|host_?name|host name|server|server_?name|node|node_name|replica|replica_name|"
               r"from_replica|replica_server_name|availability_replica_name|primary_replica|machine|machine_?name|"
               r"computer|computer_?name|remote_machine_name|client_hostname|client_host|member_name|sqlservername|"
               r"computernamephysicalnetbios|endpoint_url|remote_endpoint|far_address|address|routing_url|routed_to|"
               r"routetothisserver|whenthisserverisprimary|target|target_host|source_host|destination_host|"
               r"read_only_replica|remote_host|local_host|cluster_name|ip_address|client|server_network_address|"
               r"read_write_routing_url|agent|name_of_server|partner|mirroring_partner_name|host_id)"),
        (PATH, r"path|file|files|file_?name|filename|physical_name|errorlog_path|device|devices|device_names|"
               r"source|destination|errorlog_file_name|logical_file_name|filter_path|startup_parameter|"
               r"backup_path|media|physical_device_name|log_file_name|data_file_name"),
        (WORDS, r"wait_type|lastwaittype|last_wait_type|.*_desc|version_text|product|level|edition|os|build_date|"
                r"default_collation|language|collation|system_manufacturer|system_model|zone_name|encoding|format|"
                r"time_zone|time zone|os name|os version|performed_seeding|driver|tool_version|sql_version|"
                r"product_?version|build|congestion_provider|class_type|error_type|opcode"),
    )
)  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z0-9_ .,:+/()<>*&%#=\-]{0,200}")
_STARTED_BY = re.compile(
    r"\s*(?:create|alter|drop|join|backup|restore|exec\s+sp_configure|reconfigure|shutdown)\b", re.I
)
_PARAMETER = re.compile(r"(-[A-Za-z])(\s*)(.*)", re.DOTALL)
_OF_DATABASES = re.compile(
    r"SQLServer:(?:Databases?|Database Replica|Database Mirroring|Columnstore|Catalog Metadata)$"
)
_OF_REPLICAS = "SQLServer:Availability Replica"
_NAMED = re.compile(
    r"SQLServer:(?:Resource Pool|Workload Group|Backup Device|FileTable|Broker|XTP|Replication|External)"
)


@cache
def kind_of(name: str) -> str:
    """Tell by its name what a field holds; `TEXT` where the name says nothing."""
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(name)), TEXT)


def kind_of_instance(counters: str) -> str:
    """Tell what the instances of a perfmon object are."""
    if _OF_DATABASES.match(counters):
        return DATABASE
    if counters == _OF_REPLICAS:
        return COMPOSITE
    if _NAMED.match(counters):
        return NAME
    # SQL Server names the instances of its other objects itself.
    return WORDS if counters.startswith("SQLServer:") else LABEL


class Fields:
    """Rewrites values by what they hold.

    Parameters
    ----------
    texts
        Rewrites what is text.
    """

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._ways: dict[str, Callable[[str], str]] = {
            PATH: self._paths,
            SQL: self._statement,
            XML: texts.structured,
            WORDS: self._words,
            TEXT: texts.text,
            CELL: texts.cell,
            LABEL: texts.words,
            NAMED: texts.named,
            NOTHING: self._nothing,
        }

    def value(self, kind: str, value: str) -> str:
        """Give a value of a kind without its names."""
        way = self._ways.get(kind)
        if way is not None:
            return way(value)
        if kind == HOST and self.texts.holds_address(value):
            return self.texts.words(value)
        return self.texts.names.typed(value, kind)

    def cell(self, column: str, value: str) -> str:
        """Give a cell of a rowset: what no known column says is dropped unless each word of it is known."""
        kind = kind_of(column)
        if value.casefold() in ("null", ""):
            return value
        return self.value(CELL if kind == TEXT else kind, value)

    def fact(self, topic: str, key: str, value: str) -> str:
        """Give the value of a fact."""
        if key == "name" and topic in _NAMES_OF:
            return self.value(_NAMES_OF[topic], value)
        return self.value(kind_of(key), value)

    def _paths(self, value: str) -> str:
        parameter = _PARAMETER.fullmatch(value)
        if parameter and not parameter[3].isdecimal():
            return parameter[1] + parameter[2] + self.texts.paths.path(parameter[3])
        return "|".join(self.texts.path_or_text(part) for part in value.split("|"))

    def _statement(self, value: str) -> str:
        if _STARTED_BY.match(value):
            return self.texts.words(value)
        return self._nothing(value)

    def _words(self, value: str) -> str:
        """Give words of the product as they are, unless a name of the case stands in them."""
        return (
            value if _PLAIN.fullmatch(value) and not self.texts.holds_name(value) else self.texts.words(value)
        )

    def _nothing(self, value: str) -> str:
        if not value.strip():
            return value
        return self.texts.gone(value, DROPPED_STATEMENT)


_NAMES_OF = {
    "errorlog_replica": HOST,
    "cluster_log_section": LABEL,
    "ag_name": NAMED,
    "cluster_setting": NAMED,
    "pacemaker_status": NAMED,
    "configuration": WORDS,
    "filter_driver": WORDS,
}
