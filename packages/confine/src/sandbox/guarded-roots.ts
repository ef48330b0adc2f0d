import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import { createGuard, type Guard } from '../guard/guard.ts';
import type { Aside } from '../guard/put-aside.ts';
import { createRecord } from '../guard/record.ts';
import { recoverRoots } from '../guard/recover.ts';
import type { PlanPlaces } from './mount-plan.ts';

/** The guard of a sandbox's roots, with its record on disk. */
export type GuardedRoots = {
  readonly guard: Guard;
  /** One line for each thing that was put aside since this was asked last. */
  readonly refused: () => Promise<ReadonlyArray<string>>;
  readonly close: () => void;
};

/** First puts aside what a killed process left. `own`: the sandbox's own folder, once there is one. */
export function guardRoots(
  { roots, homes, allowed }: PlanPlaces,
  records: string | undefined,
  own: () => string | null,
): GuardedRoots {
  const left = [...recoverRoots({ folder: records, roots }, homes)];
  const record = createRecord({ folder: records, roots, own });
  const guard = createGuard({ roots, homes, allowed, onKnown: record.write, onBeat: record.touch });
  return {
    guard,
    refused: async () => [...left.splice(0), ...(await guard.refused())].map((aside) => lineOf(aside, roots)),
    close: () => {
      guard.close();
      record.remove();
    },
  };
}

function lineOf({ at, now }: Aside, roots: ReadonlyArray<string>): string {
  const root = roots.find((folder) => isInside(folder, at)) ?? path.dirname(at);
  const became = now === null ? 'was removed while it was empty' : `was put aside as ${path.basename(now)}`;
  return `[The sandbox: ${path.relative(root, at)} ${became}, because programs outside obey it. To allow it, add ${JSON.stringify(at)} to sandbox.filesystem.allowWrite in your own settings.]`;
}
