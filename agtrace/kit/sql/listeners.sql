PRINT '-- AG_hadr_ag_listeners --';
SELECT ag.name AS AG_Name, l.listener_id, l.dns_name, l.port, l.is_conformant,
    l.ip_configuration_string_from_cluster
FROM sys.availability_group_listeners AS l
JOIN sys.availability_groups AS ag ON ag.group_id = l.group_id;
PRINT '-- AG_hadr_ag_ip_information --';
SELECT a.listener_id, a.ip_address, a.ip_subnet_mask, a.is_dhcp, a.state_desc
FROM sys.availability_group_listener_ip_addresses AS a;
