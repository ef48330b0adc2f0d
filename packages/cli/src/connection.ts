import type { ApiClient } from '@attractor/api';

/** The same client either way. `here`: in this process, on the same database; no port is open, and no agent runs. */
export type Connection = {
  readonly client: ApiClient;
  readonly where: 'server' | 'here';
  readonly address: string;
  readonly close: () => Promise<void>;
};
