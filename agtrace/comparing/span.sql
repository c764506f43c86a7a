-- From when until when does a case tell anything, in UTC and in local time?
select min(first_time) as first, max(last_time) as last, min(first_local) as first_local, max(last_local) as last_local
from captures where status = 'ingested'
