-- Does a host run on Azure? "shown" by the agent of its machines; "likely" for a virtual machine of Microsoft (Azure or Hyper-V); "no" for another make. NULL where nothing tells.
-- null: azure
select case
    when exists (from os_events where source ilike '%WindowsAzure%') then 'shown'
    when exists (from server_starts where machine_model ilike 'Virtual Machine%') then 'likely'
    when exists (from server_starts where machine_model is not null) then 'no'
end as azure
