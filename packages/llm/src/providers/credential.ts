/**
 * A key that may change while the process runs. `refresh` exists only if the key can be renewed; concurrent callers share one renewal, and
 * it returns false if there is no other key to try.
 */
export type Credential = {
  readonly current: () => string | undefined;
  /** The current key, or the first one, if it has to be asked for. Rejects if that fails. */
  readonly obtain: () => Promise<string | undefined>;
  readonly refresh?: () => Promise<boolean>;
};

export type RefreshCredential = () => Promise<string | undefined>;

export function createCredential(apiKey: string | undefined, renew?: RefreshCredential): Credential {
  let key = apiKey;
  if (renew === undefined) return { current: () => key, obtain: async () => key };
  let running: Promise<boolean> | undefined;
  const refresh = async (): Promise<boolean> => {
    const before = key;
    const next = await renew().catch(() => undefined);
    if (next === undefined || next === before) return false;
    key = next;
    return true;
  };
  let first: Promise<string | undefined> | undefined;
  return {
    current: () => key,
    obtain: async () => {
      if (key !== undefined) return key;
      first ??= renew().finally(() => (first = undefined));
      return (key ??= await first);
    },
    refresh: () => {
      running ??= refresh().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
