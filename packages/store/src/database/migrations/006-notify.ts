export const NOTIFY = {
  name: '006-notify',
  sql: `
create table notify_cursors (
  channel text primary key, seq integer not null, failing integer not null default 0
) strict;

create table deliveries (
  id text primary key, channel text not null, dedup_key text not null, task_id text, notification text not null, state text not null,
  attempts integer not null, not_before integer, owner text, lease_until integer, error text, created_at text not null, settled_at text,
  unique (channel, dedup_key)
) strict;
create index deliveries_to_make on deliveries (channel, id) where state in ('due', 'held', 'sending');
create index deliveries_by_task on deliveries (task_id);

create table prompt_replies (
  token_hash text primary key, prompt_id text not null, task_id text not null, content_hash text not null, channel text not null,
  created_at text not null
) strict;
create index prompt_replies_by_prompt on prompt_replies (prompt_id);
create index prompt_replies_by_task on prompt_replies (task_id)
`,
};
