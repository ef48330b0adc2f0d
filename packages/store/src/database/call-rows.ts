/**
 * A call that its client may repeat. `lease_until`: milliseconds of the store's clock. `answer`: JSON. Never moved: it names processes,
 * and lives for a day.
 */
export type CallKeyRow = {
  caller: string;
  key: string;
  hash: string;
  state: 'claimed' | 'acted' | 'done';
  owner: string;
  lease_until: number;
  answer: string | null;
  created_at: string;
};
