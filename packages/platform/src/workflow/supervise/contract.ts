import type { Actor, ProviderLimit, Result } from '@attractor/store';
import type { DiskUsage, Health, SupervisorReport } from '../../supervisor/findings.ts';

export type { ProviderLimit } from '@attractor/store';

export type SuperviseCommands = {
  /** One round of all checks, now. */
  readonly superviseOnce: () => Promise<Result<SupervisorReport>>;
  readonly diskUsage: () => Promise<Result<DiskUsage>>;
  readonly health: () => Promise<Health>;
  /** Accounts that wait for their provider, soonest first. */
  readonly providerLimits: () => Promise<ReadonlyArray<ProviderLimit>>;
  /** For a person who knows that the account can be used again. */
  readonly liftLimit: (account: string, actor: Actor) => Promise<Result<ProviderLimit>>;
};
