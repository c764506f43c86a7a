PRINT '-- AG_hadr_cluster --';
SELECT c.cluster_name, c.quorum_type_desc, c.quorum_state_desc FROM sys.dm_hadr_cluster AS c;
PRINT '-- AG_hadr_cluster_members --';
SELECT m.member_name, m.member_type_desc, m.member_state_desc, m.number_of_quorum_votes
FROM sys.dm_hadr_cluster_members AS m;
