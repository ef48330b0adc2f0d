import type { GitPerson } from '@attractor/git';
import type { StartGate, Store } from '@attractor/store';
import { createSuperviseCommands } from './supervise.ts';
import type { SuperviseCommands } from './contract.ts';
import type { Check, SupervisorContext } from '../../supervisor/check.ts';
import { watchDisk } from '../../supervisor/disk-usage.ts';
import { supervisorSettings, type SupervisorSettings } from '../../supervisor/settings.ts';
import { createSupervisor } from '../../supervisor/supervisor.ts';

export type SupervisionOptions = {
  readonly store: Store;
  readonly home: string;
  readonly author: GitPerson;
  /** False: only on request. */
  readonly supervise: false | Partial<SupervisorSettings>;
  /** Checks of other rooms that belong to its rounds. */
  readonly more: Readonly<Record<string, Check>>;
  readonly onUnexpected: (error: unknown) => void;
};

/** The supervisor of a process, the gate for its disk, and the commands that people use on it. */
export function openSupervision({ supervise, more, onUnexpected, ...place }: SupervisionOptions): {
  readonly gate: StartGate;
  readonly commands: SuperviseCommands;
  readonly close: () => Promise<void>;
} {
  const disk = watchDisk(place.home);
  const watch: SupervisorContext = { ...place, settings: supervisorSettings(supervise === false ? {} : supervise) };
  const supervisor = createSupervisor({ ...watch, more: { ...more, disk: disk.check }, onUnexpected });
  if (supervise !== false) supervisor.start();
  return {
    gate: disk.gate,
    commands: createSuperviseCommands({ watch, supervisor, supervised: supervise !== false }),
    close: supervisor.stop,
  };
}
