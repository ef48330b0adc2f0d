import { join } from 'node:path';
import { createPolicy } from '@attractor/policy';
import type { Check } from '@attractor/project-config';
import type { CheckResult, Evidence } from '@attractor/store';
import { type CheckRun, runChecks } from '../checks/run-checks.ts';
import type { ConfinementResult } from '../run-context/confinement.ts';

/** What ran, and why others did not. */
export type EvidenceResults = {
  readonly checks: ReadonlyArray<CheckResult>;
  readonly refusals: ReadonlyMap<string, string>;
};

/** Where commands run, as checks do. */
export type EvidencePlace = Pick<CheckRun, 'folder' | 'env' | 'secrets' | 'signal' | 'outputFolder'> & {
  readonly allowed: ConfinementResult;
  /** Results that there are already. */
  readonly known: ReadonlyArray<CheckResult>;
};

/**
 * Runs the commands that are named as evidence where checks run, in the same sandbox and restored after. A command of a check has its
 * result already; of the others only those run that the person's rules allow without asking.
 */
export async function rerunEvidence(
  evidence: ReadonlyArray<Evidence>,
  { known, allowed, outputFolder, ...place }: EvidencePlace,
): Promise<EvidenceResults> {
  const open = notYetRun(evidence, known);
  const refusals = new Map<string, string>();
  for (const command of open) {
    const refusal = await refusalOf(command, { folder: place.folder, allowed });
    if (refusal !== null) refusals.set(command, refusal);
  }
  const checks = open.filter((command) => !refusals.has(command)).map(checkOf);
  if (checks.length === 0) return { checks: [], refusals };
  const results = await runChecks(checks, {
    ...place,
    allowed,
    phase: 'branch',
    outputFolder: join(outputFolder, 'criteria'),
    onResult: async () => undefined,
  });
  return { checks: results, refusals };
}

/** Commands that nobody ran yet. */
export function notYetRun(evidence: ReadonlyArray<Evidence>, known: ReadonlyArray<CheckResult>): ReadonlyArray<string> {
  const named = [...new Set(evidence.flatMap(({ command }) => (command === undefined ? [] : [command])))];
  return named.filter((command) => !known.some((result) => result.command === command));
}

function checkOf(command: string, index: number): Check {
  const rest = { modes: ['implement'], severity: 'error', timeoutMs: null, strict: true } as const;
  return { name: `criterion command ${index + 1}`, command, ...rest };
}

type Where = { readonly folder: string; readonly allowed: ConfinementResult };

/** Null if the command may run unasked. What would have to be asked is not run: nobody is there to answer. */
async function refusalOf(command: string, { folder, allowed }: Where): Promise<string | null> {
  if ('refused' in allowed) return allowed.refused;
  const { setup, sandbox } = allowed;
  if (setup === undefined) return 'no rule of yours allows it, and it is not a check of the project';
  const policy = createPolicy({
    rules: setup.rules,
    mode: 'default',
    root: folder,
    home: setup.userHome,
    sandboxed: sandbox !== undefined,
    ...(sandbox === undefined ? {} : { containment: { commands: sandbox.refuses } }),
  });
  const { decision, reason } = await policy.judge({ toolName: 'shell', args: { command } });
  return decision === 'allow' ? null : `${reason}; a rule of yours, or a check of the project, would allow it`;
}
