-- Was a routing list looked at, even an empty one?
select 1 as listed from facts where topic = 'read_only_routing_list' limit 1
