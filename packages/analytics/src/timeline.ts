import { done } from '@attractor/base';
import {
  answerBy,
  type ByEvent,
  type CheckResult,
  findMeter,
  findRun,
  listEvents,
  listPrompts,
  listRunUsage,
  type PlatformEvent,
  type Prompt,
  type Reader,
  refuse,
  type Result,
} from '@attractor/store';
import type { RunTimeline, TimelineSpan } from './spend.ts';
import { toSpend } from './task-costs.ts';

const TOLD = ['run.step_started', 'run.step_finished', 'run.check_finished', 'agent.message'] as const;
const MOST_EVENTS = 20_000;

/** What a run did and when, read from the log. */
export async function readTimeline(db: Reader, runId: string): Promise<Result<RunTimeline>> {
  const run = await findRun(db, runId);
  if (run === null) return refuse('not_found', `There is no run ${runId}.`);
  const meter = await findMeter(db, runId);
  const told = await listEvents(db, { runId, type: TOLD, limit: MOST_EVENTS });
  const prompts = await listPrompts(db, { runId });
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

/** Steps, checks and tool calls. For a step that was restarted after a crash, the first start counts. */
export function spansOf(events: ReadonlyArray<PlatformEvent>): ReadonlyArray<TimelineSpan> {
  const spans: TimelineSpan[] = [];
  const open = new Map<string, number>();
  const begin = (key: string, span: Pick<TimelineSpan, 'kind' | 'name' | 'start'>): void => {
    if (open.has(key)) return;
    open.set(key, spans.push({ ...span, end: null, ok: null }) - 1);
  };
  const end = (key: string, at: string, ok: boolean): void => {
    const index = open.get(key) ?? -1;
    const span = spans[index];
    if (span !== undefined) spans[index] = { ...span, end: at, ok };
  };
  const read: ByEvent<[], void> = {
    'run.step_started': ({ at, data: { step } }) => begin(`step ${step}`, { kind: 'step', name: step, start: at }),
    'run.step_finished': ({ at, data: { step, ok } }) => end(`step ${step}`, at, ok === true),
    'run.check_finished': ({ at, data }) => void spans.push(checkSpan(data.check, at)),
    'agent.message': ({ at, data: { message } }) => {
      if (message.kind === 'tool_call')
        begin(`tool ${message.toolCallId}`, { kind: 'tool', name: message.toolName, start: at });
      if (message.kind === 'tool_result') end(`tool ${message.toolCallId}`, at, !message.isError);
    },
  };
  for (const event of events) answerBy(read, event);
  return spans;
}

function checkSpan({ name, passed, durationMs }: CheckResult, at: string): TimelineSpan {
  const start = new Date(Date.parse(at) - (durationMs ?? 0)).toISOString();
  return { kind: 'check', name, start, end: at, ok: passed };
}

function personSpan(prompt: Prompt): TimelineSpan {
  return { kind: 'person', name: prompt.title, start: prompt.createdAt, end: prompt.answeredAt, ok: null };
}

function answeredAfter({ createdAt, answeredAt }: Prompt): number {
  return answeredAt === null ? 0 : Math.max(0, Date.parse(answeredAt) - Date.parse(createdAt));
}
