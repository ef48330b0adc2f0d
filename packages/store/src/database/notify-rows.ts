/** How far the log was read for a channel; `failing` is 1 from the time something was given up until something arrives again. */
export type NotifyCursorRow = { channel: string; seq: number; failing: number };

/** `due` → `sending` → `sent`, `given_up` or `due` again; `held` in quiet hours, then `digested`; `dropped` when it no longer matters. */
export type DeliveryRow = {
  id: string;
  channel: string;
  /** Unique within the channel: what is reported twice is sent once. */
  dedup_key: string;
  task_id: string | null;
  notification: string;
  state: 'due' | 'held' | 'sending' | 'sent' | 'given_up' | 'digested' | 'dropped';
  attempts: number;
  /** Milliseconds of the store's clock, as is `lease_until`. */
  not_before: number | null;
  owner: string | null;
  lease_until: number | null;
  error: string | null;
  created_at: string;
  settled_at: string | null;
};

/** The right to answer one prompt, as it was shown, once. The token itself is not stored. */
export type PromptReplyRow = {
  token_hash: string;
  prompt_id: string;
  task_id: string;
  content_hash: string;
  channel: string;
  created_at: string;
};
