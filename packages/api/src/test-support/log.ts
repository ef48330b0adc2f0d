import type { AgentRun, CheckResult, PlatformEvent, Prompt, Task } from '@attractor/platform';
import { type RawEvent, readEvent } from '@attractor/store/types';
import * as fc from 'fast-check';
import { STEPS } from '../run-steps.ts';

/** Runs of a property: small by default, long when soaking. */
export const runs = (normal: number) => ({ numRuns: process.env.SOAK === '1' ? normal * 50 : normal });

/** A log of a small world: two tasks, three runs, everything an event may carry, repeated, broken or unknown. */
export const anyLog: fc.Arbitrary<ReadonlyArray<PlatformEvent>> = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 3 }), body: anyBody(), place: anyPlace() }), { maxLength: 60 })
  .map((entries) => {
    let seq = 0;
    return entries.map(({ gap, body, place }) => {
      seq += gap;
      return toEvent({ seq, ...place, ...body });
    });
  });

export function toEvent(given: Partial<RawEvent> & Pick<RawEvent, 'seq' | 'type' | 'data'>): PlatformEvent {
  return readEvent({
    id: `evt_${given.seq}`,
    at: new Date(Date.UTC(2026, 0, 1) + given.seq * 1000).toISOString(),
    projectId: 'prj_1',
    taskId: 'tsk_1',
    runId: null,
    category: 'lifecycle',
    level: 'info',
    summary: given.type,
    actor: { type: 'system' },
    ...given,
  });
}

function anyPlace() {
  return fc.constantFrom(
    { taskId: 'tsk_1', runId: 'run_1' },
    { taskId: 'tsk_1', runId: 'run_2' },
    { taskId: 'tsk_2', runId: 'run_3' },
    { taskId: 'tsk_1', runId: null },
    { taskId: null, runId: null },
  );
}

function anyBody(): fc.Arbitrary<Pick<RawEvent, 'type' | 'data'>> {
  const message = fc.oneof(
    fc.record({ key: key(), kind: fc.constantFrom('text', 'thinking'), text: fc.string() }),
    fc.record({
      key: key(),
      kind: fc.constant('tool_call'),
      toolCallId: key(),
      toolName: fc.string(),
      input: fc.constant({}),
    }),
    fc.record({
      key: key(),
      kind: fc.constant('tool_result'),
      toolCallId: key(),
      toolName: fc.string(),
      output: fc.string(),
      isError: fc.boolean(),
    }),
    fc.record({
      key: key(),
      kind: fc.constant('usage'),
      model: fc.string(),
      usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
      costUsd: fc.constantFrom(null, 0.5, 2),
    }),
    fc.record({ key: key(), kind: fc.constant('notice'), level: fc.constant('info'), text: fc.string() }),
    fc.constantFrom(null, 7, {}, { kind: 'text' }, { key: 'k', kind: 'unheard_of' }),
  );
  return fc.oneof(
    task().map((value) => ({ type: 'status.changed', data: { task: value } })),
    run().map((value) => ({ type: 'agent.completed', data: { run: value } })),
    prompt().map((value) => ({ type: 'prompt.created', data: { prompt: value } })),
    check().map((value) => ({ type: 'run.check_finished', data: { check: value } })),
    fc
      .record({ step: fc.constantFrom(...STEPS), type: fc.constantFrom('run.step_started', 'run.step_finished') })
      .map(({ step, type }) => ({ type, data: { step } })),
    message.map((value) => ({ type: 'agent.message', data: { message: value } })),
    fc.constantFrom('task.deleted', 'never.heard', 'agent.message').map((type) => ({ type, data: {} })),
    fc
      .jsonValue()
      .map((value) => ({ type: 'task.created', data: { task: value, run: value, prompt: value, check: value } })),
  );
}

function key(): fc.Arbitrary<string> {
  return fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
}

function task(): fc.Arbitrary<Task> {
  return fc.record({
    id: fc.constantFrom('tsk_1' as const, 'tsk_2' as const),
    key: fc.constant('ATT-1'),
    projectId: fc.constant('prj_1' as const),
    title: fc.string(),
    description: fc.string(),
    status: fc.constantFrom('open', 'planning', 'done'),
    pipelineId: fc.constant('coding'),
    pipelineVersion: fc.constant(1),
    priority: fc.constant('medium' as const),
    size: fc.constant('m' as const),
    complexity: fc.constant('medium' as const),
    tags: fc.constant([]),
    plan: fc.constantFrom(null, '# Plan'),
    parentTaskId: fc.constant(null),
    sortOrder: fc.nat(),
    acceptanceCriteria: fc.constant([]),
    pendingPayload: fc.constant(null),
    sourceUrl: fc.constant(null),
    version: fc.nat(),
    createdAt: fc.constant('2026-01-01T00:00:00.000Z'),
    updatedAt: fc.constant('2026-01-01T00:00:00.000Z'),
  });
}

function run(): fc.Arbitrary<AgentRun> {
  return fc.record({
    id: fc.constantFrom('run_1' as const, 'run_2' as const, 'run_3' as const),
    key: fc.constant('ATT-1.1'),
    taskId: fc.constantFrom('tsk_1' as const, 'tsk_2' as const),
    projectId: fc.constant('prj_1' as const),
    agentType: fc.constant('native'),
    mode: fc.constantFrom('plan' as const, 'implement' as const),
    status: fc.constantFrom('running' as const, 'completed' as const, 'failed' as const),
    model: fc.constant('m'),
    outcome: fc.constantFrom(null, 'pr_ready'),
    payload: fc.constant(null),
    tokenUsage: fc.constantFrom(null, { inputTokens: 1, outputTokens: 2, totalCost: null }),
    checks: fc.array(check(), { maxLength: 2 }),
    branch: fc.constant(null),
    worktree: fc.constant(null),
    durationMs: fc.constant(null),
    error: fc.constant(null),
    startedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'),
    finishedAt: fc.constant(null),
  });
}

function prompt(): fc.Arbitrary<Prompt> {
  return fc.record({
    id: fc.constantFrom('prm_1' as const, 'prm_2' as const),
    key: fc.constant('ATT-1.q1'),
    taskId: fc.constant('tsk_1' as const),
    runId: fc.constant(null),
    type: fc.constantFrom('plan_approval' as const, 'review' as const),
    title: fc.string(),
    payload: fc.constant({}),
    contentHash: fc.constant('h'),
    status: fc.constantFrom('pending' as const, 'answered' as const),
    answer: fc.constant(null),
    createdAt: fc.constant('2026-01-01T00:00:00.000Z'),
    answeredAt: fc.constant(null),
  });
}

function check(): fc.Arbitrary<CheckResult> {
  return fc.record({
    name: fc.constantFrom('test', 'lint'),
    command: fc.constant('npm test'),
    phase: fc.constantFrom('base' as const, 'branch' as const),
    commit: fc.constant('c'),
    passed: fc.boolean(),
    exitCode: fc.constant(0),
    severity: fc.constant('error' as const),
    durationMs: fc.nat(),
    output: fc.string(),
  });
}
