export const SCM = {
  name: '007-scm',
  sql: `
create table outbox (
  id text primary key, seq integer not null unique, project_id text not null references projects (id),
  task_id text not null references tasks (id), run_id text references runs (id), key text not null, kind text not null,
  payload text not null, needs text, state text not null, owner text, fence integer not null,
  lease_until integer, not_before integer, attempts integer not null, result text, error text, actor text not null,
  created_at text not null, finished_at text,
  unique (task_id, key)
) strict;
create index outbox_by_state on outbox (state, seq);

create table pull_requests (
  id text primary key, project_id text not null references projects (id), number integer not null, title text not null,
  body text not null, state text not null, head_branch text not null, base_branch text not null, head_commit text,
  merge_commit text, comments text not null, created_at text not null, merged_at text,
  unique (project_id, number)
) strict;
create index pull_requests_by_head on pull_requests (project_id, head_branch, base_branch);
create index artifacts_by_type on artifacts (type, id);
create index tasks_by_source on tasks (project_id, source_url) where source_url is not null
`,
};
