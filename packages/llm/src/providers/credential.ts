/**
 * A key that may change while the process runs. `refresh` exists only if the key can be renewed; concurrent callers share one renewal, and
 * it returns false if there is no other key to try.
 */
export type Credential = { readonly current: () => string | undefined; readonly refresh?: () => Promise<boolean> };

export type RefreshCredential = () => Promise<string | undefined>;

export function createCredential(apiKey: string | undefined, renew?: RefreshCredential): Credential {
  let key = apiKey;
  if (renew === undefined) return { current: () => key };
  let running: Promise<boolean> | undefined;
  const refresh = async (): Promise<boolean> => {
    const before = key;
    const next = await renew().catch(() => undefined);
    if (next === undefined || next === before) return false;
    key = next;
    return true;
  };
  return {
    current: () => key,
    refresh: () => {
      running ??= refresh().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
