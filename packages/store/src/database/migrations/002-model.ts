export const MODEL = {
  name: '002-model',
  sql: `
alter table projects add column config text not null default '{}';

alter table tasks add column parent_id text references tasks (id);
alter table tasks add column sort_order real not null default 0;
alter table tasks add column acceptance text not null default '[]';
alter table tasks add column pending_payload text;
alter table tasks add column source_url text;
create index tasks_by_board on tasks (project_id, sort_order, id);
create index tasks_by_column on tasks (project_id, status, sort_order, id);
create index tasks_by_parent on tasks (parent_id, id);
create index tasks_by_pipeline on tasks (pipeline_id, pipeline_version);

create table task_tags (
  task_id text not null references tasks (id), tag text not null, primary key (task_id, tag)
) strict;
create index task_tags_by_tag on task_tags (tag, task_id);

create table task_dependencies (
  task_id text not null references tasks (id), depends_on_id text not null references tasks (id), created_at text not null,
  primary key (task_id, depends_on_id)
) strict;
create index task_dependents on task_dependencies (depends_on_id, task_id);

create table task_notes (
  id text primary key, task_id text not null references tasks (id), body text not null, author text not null, created_at text not null
) strict;
create index task_notes_by_task on task_notes (task_id, id);

create table attachments (
  id text primary key, task_id text not null references tasks (id), name text not null, media_type text not null,
  size integer not null, sha256 text not null, created_at text not null
) strict;
create index attachments_by_task on attachments (task_id, id);

create table task_phases (
  id text primary key, task_id text not null references tasks (id), name text not null, description text not null,
  status text not null, position integer not null, created_at text not null
) strict;
create index task_phases_by_task on task_phases (task_id, position);

create table templates (
  id text primary key, name text not null unique, description text not null, fields text not null, created_at text not null
) strict;

create table writers (id text primary key, mark text not null, at text not null) strict;

alter table artifacts add column phase_id text;
alter table artifacts add column content text;
alter table artifacts add column file_path text;
alter table artifacts add column created_by text not null default 'agent';

alter table events add column actor_type text not null default 'system';
create index events_of_activity on events (project_id, seq)
  where level <> 'debug' and type <> 'agent.message' and type <> 'run.step_started' and type <> 'run.step_finished'
`,
  sqliteRows: `
update tasks set sort_order = placed.place * 1024
  from (select id, row_number() over (partition by project_id order by id) as place from tasks) as placed
  where placed.id = tasks.id;
insert into task_tags (task_id, tag) select distinct tasks.id, tag.value from tasks, json_each(tasks.tags) as tag;
update events set actor_type = coalesce(json_extract(actor, '$.type'), 'system');
`,
};
