export const PEOPLE = {
  name: '012-people',
  sql: `
create table users (
  id text primary key, name text not null unique, role text not null, projects text, session_number integer not null,
  created_at text not null
) strict;
create table api_keys (
  id text primary key, prefix text not null unique, name text not null, user_id text references users (id),
  secret_hash text not null, role text not null, projects text, created_at text not null, expires_at text,
  last_used_at text, revoked_at text
) strict;
create table audit (
  id text primary key, at text not null, person text not null, via text, api_key text, act text not null,
  summary text not null, project_id text, task_id text, run_id text
) strict;
create index audit_by_person on audit (person, id)
`,
};
