import { RUN_MODES } from '@attractor/facts';
import { newerPart } from './definition.ts';
import { findPipeline, type Reader, type RunOverrides, type RunToStart, type StartBlock } from '@attractor/store';

/** A newer version on the same database may make runs of a kind that this one can't carry out: they are left to its workers. */
export async function heldForNewer(db: Reader, { run, overrides, pipeline }: RunToStart): Promise<StartBlock | null> {
  const unknown = Object.keys(overrides).find((name) => !Object.hasOwn(OVERRIDES, name));
  const what = !RUN_MODES.includes(run.mode)
    ? `mode "${run.mode}"`
    : unknown !== undefined
      ? `setting "${unknown}"`
      : await newerPartOf(db, pipeline);
  if (what === null) return null;
  const message = `${run.key} is of a newer version of Attractor (${what}): update this worker.`;
  return { code: 'newer_version', message };
}

/** A stored version of a pipeline never changes: it is looked at once. */
const judged = new Map<string, string | null>();
const MOST_JUDGED = 1_000;

async function newerPartOf(db: Reader, { id, version }: RunToStart['pipeline']): Promise<string | null> {
  const name = JSON.stringify([id, version]);
  const known = judged.get(name);
  if (known !== undefined) return known;
  const definition = await findPipeline(db, id, version);
  if (definition === null) return null;
  const part = newerPart(definition);
  const what = part === null ? null : `${part} of the pipeline "${id}"`;
  if (judged.size >= MOST_JUDGED) judged.clear();
  judged.set(name, what);
  return what;
}

/** All that this version knows. */
const OVERRIDES: Readonly<Record<keyof RunOverrides, true>> = {
  model: true,
  provider: true,
  maxTurns: true,
  timeout: true,
  effort: true,
  permissionMode: true,
  systemPrompt: true,
  autoCommit: true,
  autoPush: true,
  branchPrefix: true,
  baseBranch: true,
  branchStrategy: true,
  preserveUncommitted: true,
  rebaseOnStart: true,
  onConflict: true,
  installDeps: true,
  agentType: true,
  checks: true,
  labels: true,
  account: true,
  additionalDirectories: true,
};
