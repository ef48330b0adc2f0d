export const QUEUE = {
  name: '003-queue',
  sql: `
alter table jobs add column project_id text not null default '';
alter table jobs add column agent_type text not null default '';
alter table jobs add column account text not null default '';
alter table jobs add column number integer not null default 0;
alter table jobs add column place integer not null default 0;
alter table jobs add column not_before text;
alter table jobs add column blocked text;
update jobs set
  project_id = coalesce((select runs.project_id from runs where runs.id = jobs.run_id), ''),
  agent_type = coalesce((select runs.agent_type from runs where runs.id = jobs.run_id), ''),
  account = coalesce((select runs.agent_type from runs where runs.id = jobs.run_id), '');
create index jobs_to_claim on jobs (state, project_id, place, id);
create index jobs_by_number on jobs (project_id, number);

create table job_labels (
  job_id text not null references jobs (id) on delete cascade, label text not null, primary key (job_id, label)
) strict;

create table queue_lanes (
  project_id text primary key references projects (id) on delete cascade, paused integer not null, served integer not null
) strict;
insert into queue_lanes (project_id, paused, served) select id, 0, 0 from projects;

create table queue_limits (name text primary key, value integer not null) strict;

create table schedules (
  id text primary key, project_id text not null references projects (id) on delete cascade, name text not null, cron text not null,
  time_zone text not null, enabled integer not null, action text not null, next_at text not null, last_at text, last_result text,
  created_at text not null
) strict;
create index schedules_by_time on schedules (enabled, next_at);
create index schedules_by_project on schedules (project_id, id);
`,
};
