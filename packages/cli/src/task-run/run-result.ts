import type { Artifact, PlatformWorkflow } from '@attractor/platform';
import { facts } from '@attractor/console/lines';
import { createStyle } from '@attractor/console';
import type { EndedRun } from './follow-run.ts';

/** What a script learns about a run, as one object. */
export async function resultLines(
  workflow: PlatformWorkflow,
  { run }: EndedRun,
  { json }: { readonly json?: boolean },
): Promise<ReadonlyArray<string>> {
  const artifacts = await workflow.listArtifacts(run.taskId);
  const { id, key, status, outcome, payload, branch, worktree, tokenUsage, checks, error } = run;
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
        ...(payload === null || payload === undefined ? {} : { payload }),
        ...(error === null ? {} : { error }),
      }),
    ];
  return facts(
    [
      ['run', key],
      ['status', status],
      ['outcome', outcome],
      ['branch', branch],
      ['worktree', worktree],
      ...commits.map((commit) => ['commit', commit] as const),
      ...checks.map(
        ({ name, phase, passed }) => ['check', `${name} ${passed ? 'passes' : 'fails'} (${phase})`] as const,
      ),
      ['error', error],
      ['next', nextOf(run, commits)],
    ],
    createStyle(process.stdout, process.env),
  );
}

/** The task is over: what is left is in git and in the run's own record. */
function nextOf({ key, branch, outcome }: EndedRun['run'], commits: ReadonlyArray<string>): string {
  if (outcome === 'needs_info' || outcome === 'options_proposed')
    return `it asks a question: \`attractor runs transcript ${key}\` shows it; to answer, run it again with a --description-file`;
  if (branch === null || commits.length === 0)
    return `\`attractor runs transcript ${key}\` shows what the agent said and did`;
  return `look at it: \`attractor runs diff ${key}\`; take it over: \`git merge ${branch}\``;
}

function commitOf({ type, metadata }: Artifact): ReadonlyArray<string> {
  return type === 'commit' && typeof metadata['hash'] === 'string' ? [metadata['hash']] : [];
}
