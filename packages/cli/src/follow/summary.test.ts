import { newId } from '@attractor/base/id';
import type { AgentRun, CheckResult, Task } from '@attractor/platform';
import { expect, it } from 'vitest';
import { createStyle } from '@attractor/console';
import { exitOf, type Outcome, succeeded, summaryLines } from './summary.ts';

const STYLE = createStyle(process.stdout, { NO_COLOR: '1' });

const run = (startedAt: string, more: Partial<AgentRun>): AgentRun => ({
  id: newId('run'),
  key: '',
  taskId: newId('tsk'),
  projectId: newId('prj'),
  agentType: 'native',
  mode: 'implement',
  status: 'completed',
  model: 'm',
  outcome: 'pr_ready',
  payload: null,
  tokenUsage: null,
  checks: [],
  branch: null,
  worktree: null,
  durationMs: 1,
  error: null,
  startedAt,
  finishedAt: startedAt,
  ...more,
});

const check = (more: Partial<CheckResult>): CheckResult => ({
  name: 'test',
  command: 'npm test',
  phase: 'branch',
  commit: 'c0ffee',
  passed: false,
  exitCode: 1,
  severity: 'error',
  durationMs: 1,
  output: '',
  ...more,
});

function outcomeOf(runs: ReadonlyArray<AgentRun>): Outcome {
  const task: Partial<Task> = { key: 'ATT-1', title: 'Accept ISO weeks', status: 'pr_review' };
  return {
    task: task as Task,
    runs,
    artifacts: [],
    prompts: [],
    failureCode: null,
    state: { kind: 'waiting', label: 'Waiting for you', steps: [] },
  };
}

it('what failed and went well when it was tried again is over', () => {
  const [failed, again] = [run('2026-01-01', { status: 'failed', error: 'no such host' }), run('2026-01-02', {})];
  expect(summaryLines(outcomeOf([failed, again]), STYLE).join('\n')).not.toContain('no such host');
  expect(exitOf(outcomeOf([failed, again]))).toBe(0);
  expect(summaryLines(outcomeOf([failed]), STYLE).join('\n')).toContain('no such host');
});

it('a check that fails, or takes too long, as it did without the work does not keep it from a review', () => {
  const known = check({ known: true, timedOut: true, exitCode: null });
  const outcome = outcomeOf([run('2026-01-01', { checks: [known] })]);
  expect(succeeded(outcome)).toBe(true);
  expect(summaryLines(outcome, STYLE).join('\n')).toContain('takes too long, as without the work, on the branch');
  expect(succeeded(outcomeOf([run('2026-01-01', { checks: [check({})] })]))).toBe(false);
});
