-- Does a host run on Azure? "shown" by the agent of its machines; "likely" for a virtual machine of Microsoft (Azure or Hyper-V); "no" for another make. NULL where nothing tells.
select case
    when exists (from os_events where source ilike '%WindowsAzure%') then 'shown'
    when exists (from facts where topic = 'startup' and key = 'system_model' and value ilike 'Virtual Machine%') then 'likely'
    when exists (from facts where topic = 'startup' and key = 'system_model') then 'no'
end as azure
