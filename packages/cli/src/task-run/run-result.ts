import type { Artifact, PlatformWorkflow } from '@attractor/platform';
import { facts } from '../verbs/layout.ts';
import { createStyle } from '../terminal/style.ts';
import type { EndedRun } from './follow-run.ts';

/** What a script learns about a run, as one object. */
export async function resultLines(
  workflow: PlatformWorkflow,
  { run }: EndedRun,
  { json }: { readonly json?: boolean },
): Promise<ReadonlyArray<string>> {
  const artifacts = await workflow.listArtifacts(run.taskId);
  const { id, status, outcome, branch, worktree, tokenUsage, checks, error } = run;
  const commits = artifacts.flatMap(commitOf);
  if (json === true)
    return [
      JSON.stringify({
        runId: id,
        status,
        outcome,
        branch,
        worktree,
        commits,
        tokenUsage,
        checks,
        ...(error === null ? {} : { error }),
      }),
    ];
  return facts(
    [
      ['run', id],
      ['status', status],
      ['outcome', outcome],
      ['branch', branch],
      ['worktree', worktree],
      ...commits.map((commit) => ['commit', commit] as const),
      ...checks.map(
        ({ name, phase, passed }) => ['check', `${name} ${passed ? 'passes' : 'fails'} (${phase})`] as const,
      ),
      ['error', error],
    ],
    createStyle(process.stdout, process.env),
  );
}

function commitOf({ type, metadata }: Artifact): ReadonlyArray<string> {
  return type === 'commit' && typeof metadata['hash'] === 'string' ? [metadata['hash']] : [];
}
