/** Transcripts that were moved into files. What `listEvents` finds of such a run is in the file, with its old numbers. */
export const ARCHIVES = {
  name: '020-archives',
  sql: `
create table run_archives (
  run_id text primary key references runs (id), path text not null, machine text not null, sha256 text not null,
  bytes integer not null, events integer not null, first_seq integer not null, last_seq integer not null, archived_at text not null
) strict
`,
};
