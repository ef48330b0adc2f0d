export const OUTCOMES = {
  name: '011-outcomes',
  sql: `
create table task_splits (
  id text primary key, task_id text not null references tasks (id), run_id text, mode text, subtasks text not null,
  created_at text not null, settled_at text
) strict;
create index task_splits_by_task on task_splits (task_id, id);
create table task_criteria (
  task_id text not null references tasks (id), number integer not null, body text not null, mark text, claim text,
  removed_at text, primary key (task_id, number)
) strict
`,
};
