/** Where the transcript of a run is that was moved out of the log. `path` is absolute, on `machine`. */
export type RunArchiveRow = {
  run_id: string;
  path: string;
  machine: string;
  sha256: string;
  bytes: number;
  events: number;
  first_seq: number;
  last_seq: number;
  archived_at: string;
};
