export const WORKERS = {
  name: '008-workers',
  sql: `
create table workers (
  id text primary key, owner text not null, host text not null, labels text not null, concurrency integer not null,
  started_at text not null, seen_at text not null, seen integer not null
) strict
`,
};
