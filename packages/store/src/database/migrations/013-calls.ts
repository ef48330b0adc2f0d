export const CALLS = {
  name: '013-calls',
  sql: `
create table call_keys (
  caller text not null, key text not null, hash text not null, state text not null, owner text not null,
  lease_until integer not null, answer text, created_at text not null, primary key (caller, key)
) strict;
create index call_keys_by_age on call_keys (created_at)
`,
};
