import { done } from '@attractor/base';
import { refuse } from '../refusal.ts';
import { parseJson } from '../store/json.ts';
import { findMeter } from '../store/meters.ts';
import { listPrompts } from '../store/prompts.ts';
import { findRun } from '../store/runs.ts';
import type { Reader } from '../store/store.ts';
import { listRunUsage } from '../store/usage.ts';
import type { CheckResult, Prompt } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';
import type { RunTimeline, TimelineSpan } from '../workflow-spend.ts';
import { toSpend } from './costs.ts';

const TOLD = ['run.step_started', 'run.step_finished', 'run.check_finished', 'agent.message'];
const MOST_EVENTS = 20_000;

type Told = { readonly at: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** What a run did when, read off the log. */
export async function readTimeline(db: Reader, runId: string): Promise<Result<RunTimeline>> {
  const run = await findRun(db, runId);
  if (run === null) return refuse('not_found', `There is no run ${runId}.`);
  const meter = await findMeter(db, runId);
  const rows = await db
    .selectFrom('events')
    .select(['at', 'type', 'data'])
    .where('run_id', '=', runId)
    .where('type', 'in', TOLD)
    .orderBy('seq')
    .limit(MOST_EVENTS)
    .execute();
  const prompts = await listPrompts(db, { runId });
  const told = rows.map(({ at, type, data }) => ({ at, type, data: parseJson<Told['data']>(data, {}) }));
  const queue: TimelineSpan = {
    kind: 'queue',
    name: 'waiting for a worker',
    start: run.startedAt,
    end: meter?.begun_at ?? null,
    ok: null,
  };
  const spans = [queue, ...spansOf(told), ...prompts.map(personSpan)];
  return done({
    run,
    spans: spans.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0)),
    waiting: {
      onQueueMs: meter?.queue_ms ?? 0,
      onAgentsMs: meter?.agent_ms ?? 0,
      onChecksMs: meter?.checks_ms ?? 0,
      onPeopleMs: prompts.reduce((sum, prompt) => sum + answeredAfter(prompt), 0),
    },
    spend: (await listRunUsage(db, runId)).map(({ model, ...used }) => ({ model, ...toSpend(used) })),
  });
}

/** Steps, checks and tool calls. Of a step that was begun again after a crash, the first beginning stands. */
export function spansOf(events: ReadonlyArray<Told>): ReadonlyArray<TimelineSpan> {
  const spans: TimelineSpan[] = [];
  const open = new Map<string, number>();
  const begin = (key: string, span: TimelineSpan): void => {
    if (open.has(key)) return;
    open.set(key, spans.push(span) - 1);
  };
  const end = (key: string, at: string, ok: boolean): void => {
    const index = open.get(key) ?? -1;
    const span = spans[index];
    if (span !== undefined) spans[index] = { ...span, end: at, ok };
  };
  for (const { at, type, data } of events) {
    const step = String(data['step']);
    if (type === 'run.step_started')
      begin(`step ${step}`, { kind: 'step', name: step, start: at, end: null, ok: null });
    else if (type === 'run.step_finished') end(`step ${step}`, at, data['ok'] === true);
    else if (type === 'run.check_finished') spans.push(...checkSpan(data['check'], at));
    else {
      const message = fieldsOf(data['message']);
      const call = `tool ${String(message['toolCallId'])}`;
      const name = String(message['toolName']);
      if (message['kind'] === 'tool_call') begin(call, { kind: 'tool', name, start: at, end: null, ok: null });
      if (message['kind'] === 'tool_result') end(call, at, message['isError'] !== true);
    }
  }
  return spans;
}

function checkSpan(check: unknown, at: string): ReadonlyArray<TimelineSpan> {
  const { name, passed, durationMs }: Partial<CheckResult> = fieldsOf(check);
  const start = new Date(Date.parse(at) - (typeof durationMs === 'number' ? durationMs : 0)).toISOString();
  return [{ kind: 'check', name: String(name), start, end: at, ok: passed === true }];
}

function personSpan(prompt: Prompt): TimelineSpan {
  return { kind: 'person', name: prompt.title, start: prompt.createdAt, end: prompt.answeredAt, ok: null };
}

function answeredAfter({ createdAt, answeredAt }: Prompt): number {
  return answeredAt === null ? 0 : Math.max(0, Date.parse(answeredAt) - Date.parse(createdAt));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
