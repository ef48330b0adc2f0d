export const MESSAGES = {
  name: '009-messages',
  sql: `
create table task_messages (
  id text primary key, task_id text not null references tasks (id), body text not null, interrupts integer not null,
  author text not null, created_at text not null, run_id text, via text, delivered_at text
) strict;
create index task_messages_by_task on task_messages (task_id, id);
create index task_messages_by_run on task_messages (run_id, id)
`,
};
