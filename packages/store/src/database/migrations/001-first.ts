export const FIRST = {
  name: '001-first',
  sql: `
create table projects (
  id text primary key, name text not null, path text not null unique, description text not null, default_branch text not null,
  trusted_config_hash text, created_at text not null
) strict;

create table pipelines (
  id text not null, version integer not null, is_default integer not null, definition text not null, created_at text not null,
  primary key (id, version)
) strict;

create table tasks (
  id text primary key, project_id text not null references projects (id), title text not null, description text not null,
  status text not null, pipeline_id text not null, pipeline_version integer not null, priority text not null, size text not null,
  complexity text not null, tags text not null, plan text, overrides text not null, version integer not null,
  created_at text not null, updated_at text not null,
  foreign key (pipeline_id, pipeline_version) references pipelines (id, version)
) strict;
create index tasks_by_project on tasks (project_id, id);

create table runs (
  id text primary key, task_id text not null references tasks (id), project_id text not null references projects (id),
  agent_type text not null, mode text not null, status text not null, model text not null, outcome text, payload text,
  token_usage text, checks text not null, branch text, worktree text, duration_ms integer, error text, started_at text not null,
  finished_at text, hook_params text not null, overrides text not null, cancel_requested integer not null default 0
) strict;
create index runs_by_task on runs (task_id, id);
create index runs_by_project on runs (project_id, id);
create unique index one_running_run_per_task on runs (task_id) where status = 'running';

create table run_steps (
  run_id text not null references runs (id), step text not null, ok integer not null, result text not null, finished_at text not null,
  primary key (run_id, step)
) strict;

create table artifacts (
  id text primary key, task_id text not null references tasks (id), run_id text references runs (id), key text not null,
  type text not null, label text not null, url text, metadata text not null, created_at text not null,
  unique (task_id, key)
) strict;

create table prompts (
  id text primary key, task_id text not null references tasks (id), run_id text references runs (id), key text, type text not null,
  title text not null, payload text not null, content_hash text not null, status text not null, answer text,
  created_at text not null, answered_at text
) strict;
create index prompts_by_task on prompts (task_id, id);
create index prompts_by_status on prompts (status, id);
create unique index one_prompt_per_question on prompts (run_id, key) where key is not null;

create table events (
  seq integer primary key autoincrement, id text not null unique, at text not null, project_id text not null, task_id text, run_id text,
  key text, category text not null, type text not null, level text not null, summary text not null, data text not null, actor text not null
) strict;
create index events_by_task on events (task_id, seq);
create index events_by_run on events (run_id, seq);
create index events_by_project on events (project_id, seq);
create unique index events_told_once on events (run_id, key) where key is not null;

create table transition_history (
  id integer primary key autoincrement, task_id text not null references tasks (id), transition_id text not null,
  from_status text not null, to_status text not null, trigger text not null, actor text not null, reason text, payload text,
  guards_checked text not null, hooks_executed text not null, at text not null
) strict;
create index history_by_task on transition_history (task_id, id);

create table jobs (
  id text primary key, run_id text not null unique references runs (id), state text not null, owner text, fence integer not null,
  lease_until integer, attempts integer not null, created_at text not null
) strict;
create index jobs_by_state on jobs (state, id);
`,
};
