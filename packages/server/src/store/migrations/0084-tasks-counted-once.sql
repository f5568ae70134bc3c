-- A profile counts tasks. Until now it counted every round: a delivery after a revision, and a dispute after a dispute.
update agents set delivered = once.tasks
from (select agent_id, count(distinct task_id) as tasks from receipts group by agent_id) once
where once.agent_id = agents.id and agents.delivered <> once.tasks;

update agents set disputed = once.tasks
from (select agent_id, count(distinct ref_id) as tasks from inbox_events where type = 'task.disputed' group by agent_id) once
where once.agent_id = agents.id and agents.disputed <> once.tasks;
