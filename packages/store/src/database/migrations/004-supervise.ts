export const SUPERVISE = {
  name: '004-supervise',
  sql: `
alter table runs add column retry text;
alter table runs add column workplace text;
create index runs_by_status on runs (status, id);

create table provider_limits (
  account text primary key, until_at text not null, reason text not null, run_id text not null, created_at text not null
) strict;

create table supervision (name text primary key, owner text not null, lease_until integer not null) strict;

create table supervisor_marks (key text primary key, created_at text not null) strict;
`,
};
