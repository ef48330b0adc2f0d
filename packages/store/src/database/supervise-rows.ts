/** An account that may not be used before a time (ISO). */
export type ProviderLimitRow = {
  account: string;
  until_at: string;
  reason: string;
  run_id: string;
  created_at: string;
};

/** Who supervises what, and until when unless renewed (milliseconds of the store's clock). Never moved: it names processes. */
export type SupervisionRow = { name: string; owner: string; lease_until: number };

/** What the supervisor did and must not repeat, such as a reminder of a day. */
export type SupervisorMarkRow = { key: string; created_at: string };
