/** What a run's agent remembers, in pieces, so that a worker elsewhere continues the conversation from the last call that was started. */
export const RUN_FILES = {
  name: '017-run-files',
  sql: `
create table run_files (
  run_id text not null references runs (id), path text not null, start integer not null, content text not null,
  primary key (run_id, path, start)
) strict
`,
};
