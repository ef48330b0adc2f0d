import type { AgentRun } from '@attractor/platform';
import { type ApiClient, taskKeyOf } from '@attractor/api';
import type { Style } from '../terminal/style.ts';
import { costText, durationText, tokensText } from './amounts.ts';
import { facts, moment, table } from './layout.ts';
import { valueOf } from './value-of.ts';

/** The runs among these that no worker has taken yet. */
export async function queuedRuns(client: ApiClient, runs: ReadonlyArray<AgentRun>): Promise<ReadonlySet<string>> {
  if (!runs.some(({ status }) => status === 'running')) return new Set();
  const { jobs } = valueOf(await client.queue.state({ limit: JOBS }));
  return new Set(jobs.filter(({ state }) => state === 'queued').map(({ runId }) => runId));
}

const JOBS = 500;

export function runTable(
  runs: ReadonlyArray<AgentRun>,
  { style, queued }: { readonly style: Style; readonly queued: ReadonlySet<string> },
): ReadonlyArray<string> {
  return table(runs, {
    style,
    none: 'No runs: attractor runs start TASK',
    columns: [
      { head: 'KEY', cell: ({ key }) => key, paint: style.accent },
      {
        head: 'STATUS',
        cell: ({ id, status }) => (queued.has(id) ? 'queued' : status),
        paint: (text, { status }) => paintStatus(text, status, style),
      },
      { head: 'MODE', cell: ({ mode }) => mode },
      { head: 'AGENT', cell: ({ agentType }) => agentType },
      { head: 'STARTED', cell: ({ startedAt }) => moment(startedAt) },
      { head: 'TIME', cell: ({ durationMs }) => durationText(durationMs) },
      { head: 'COST', cell: ({ tokenUsage }) => (tokenUsage === null ? '' : costText(tokenUsage.totalCost)) },
      { head: 'TASK', cell: taskKeyOf },
      { head: 'OUTCOME', cell: ({ outcome, error }) => outcome ?? error ?? '' },
    ],
  });
}

export function runLines(run: AgentRun, style: Style): ReadonlyArray<string> {
  const usage = run.tokenUsage;
  return facts(
    [
      ['key', run.key],
      ['task', taskKeyOf(run)],
      ['status', run.status],
      ['mode', run.mode],
      ['agent', run.agentType],
      ['model', run.model],
      ['outcome', run.outcome],
      ['error', run.error],
      ['branch', run.branch],
      ['worktree', run.worktree],
      ['checks', checksText(run)],
      ['tokens', usage === null ? '' : tokenLine(usage)],
      ['cost', usage === null ? '' : costText(usage.totalCost)],
      ['started', moment(run.startedAt)],
      ['ended', run.finishedAt === null ? '' : moment(run.finishedAt)],
      ['time', durationText(run.durationMs)],
    ],
    style,
  );
}

/** An agent that told nothing has not used nothing. */
function tokenLine({ inputTokens, outputTokens, totalCost }: NonNullable<AgentRun['tokenUsage']>): string {
  if (totalCost === null && inputTokens + outputTokens === 0) return 'unknown';
  return `${tokensText(inputTokens)} in, ${tokensText(outputTokens)} out`;
}

function checksText({ checks }: AgentRun): string {
  const own = checks.filter(({ phase }) => phase === 'branch');
  if (own.length === 0) return '';
  return own.map(({ name, passed }) => `${name} ${passed ? 'passes' : 'fails'}`).join(', ');
}

function paintStatus(text: string, status: AgentRun['status'], style: Style): string {
  if (status === 'completed') return style.good(text);
  return status === 'running' ? style.bold(text) : style.bad(text);
}
