export const SPEND = {
  name: '005-spend',
  sql: `
create table run_usage (
  run_id text not null references runs (id) on delete cascade, model text not null, slot integer not null, calls integer not null,
  input_tokens integer not null, output_tokens integer not null, cache_read_tokens integer not null,
  cache_write_tokens integer not null, cost_nano integer not null, unpriced_calls integer not null,
  primary key (run_id, model, slot)
) strict;
create index run_usage_by_slot on run_usage (slot);

create table run_meters (
  run_id text primary key references runs (id) on delete cascade, begun_at text not null, queue_ms integer not null,
  agent_ms integer not null, checks_ms integer not null, agent_process text
) strict;

create table reservations (
  run_id text primary key references runs (id) on delete cascade, cost_nano integer not null, tokens integer not null
) strict;

create table budgets (
  id text primary key, scope text not null, subject_id text not null, period text not null, time_zone text not null,
  limit_nano integer, limit_tokens integer, when_reached text not null, created_at text not null, updated_at text not null,
  unique (scope, subject_id, period)
) strict;

create table attempt_groups (
  id text primary key, task_id text not null references tasks (id) on delete cascade, project_id text not null,
  winner_run_id text, judged_at text, created_at text not null
) strict;
create index attempt_groups_by_task on attempt_groups (task_id, id);

create table attempts (
  run_id text primary key references runs (id) on delete cascade,
  group_id text not null references attempt_groups (id) on delete cascade, number integer not null, score text, place integer
) strict;
create index attempts_by_group on attempts (group_id, number);

alter table runs add column attempt integer not null default 0;
drop index one_running_run_per_task;
create unique index one_running_run_per_task on runs (task_id, attempt) where status = 'running';
create index runs_by_start on runs (started_at, id);
create index runs_by_agent on runs (project_id, agent_type, mode, id);
create index prompts_by_run on prompts (run_id)
`,
  sqliteRows: `
insert into run_usage
  select id, model, cast(strftime('%s', started_at) as integer) / 900, 1,
    coalesce(json_extract(token_usage, '$.inputTokens'), 0), coalesce(json_extract(token_usage, '$.outputTokens'), 0),
    coalesce(json_extract(token_usage, '$.cacheReadTokens'), 0), coalesce(json_extract(token_usage, '$.cacheWriteTokens'), 0),
    cast(round(coalesce(json_extract(token_usage, '$.totalCost'), 0) * 1000000000) as integer),
    json_extract(token_usage, '$.totalCost') is null
  from runs where token_usage is not null
`,
};
