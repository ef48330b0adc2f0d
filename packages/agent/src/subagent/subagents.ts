import { errorOf, messageOf } from '@attractor/base';
import type { SessionEndReason, SessionEvent, Subagent, SubagentResult, ToolResult } from '../types/index.ts';
import { newId } from '@attractor/base/id';
import { resultOf, textOfResult } from './result.ts';
import type { AgentPlace, OpenAgentPlace, Session } from '../contract/session.ts';
import type { ChildOrder, OpenChild, SpawnOrder } from './child.ts';

/**
 * The children of one session. A child has its own history, registry and journal and works in the shared environment. Its start is recorded
 * and synced before it does anything. Its end is recorded unless this process gives up the session, so that the process that resumes knows
 * whose work was cut off.
 */
export type Subagents = {
  /** Whether an agent with this id was ever started here. */
  readonly has: (id: string) => boolean;
  /** The child ends its place with its work, unless it was refused. */
  readonly spawn: (order: SpawnOrder, place?: AgentPlace | null) => ToolResult;
  readonly send: (id: string, message: string) => Promise<ToolResult>;
  readonly wait: (id: string, signal: AbortSignal | undefined) => Promise<ToolResult>;
  readonly close: (id: string) => Promise<ToolResult>;
  /** Nobody waits for this one: its report is given by `nextReport`, unless somebody does wait meanwhile. */
  readonly leave: (id: string) => void;
  /** Waits for the next child that nobody waits for; null if there is none, or the signal fired. */
  readonly nextReport: (signal: AbortSignal) => Promise<AgentReport | null>;
  /** Ends every child, or all but those that nobody waits for; resolves once their last events were passed on. */
  readonly closeAll: (reason: SessionEndReason, which?: 'awaited') => Promise<void>;
};

export type AgentReport = { readonly id: string; readonly output: string };

export type SubagentsOptions = {
  /** As recorded in the events. */
  readonly known: () => ReadonlyArray<Subagent>;
  readonly record: (event: SessionEvent) => void;
  readonly openChild: OpenChild;
  /** Opens again what an interrupted child had for itself; null: nothing. Absent: no child has anything. */
  readonly placeFor?: (order: SpawnOrder) => ReturnType<OpenAgentPlace>;
  readonly limits: () => { readonly depth: number; readonly maxDepth: number; readonly maxConcurrent: number };
  /** The session's own model, for children that name no other. */
  readonly model: () => string;
  /** Without journals a child can't be resumed. */
  readonly hasJournals: boolean;
};

/** `sent` counts messages, so that none that arrives at the very end stays unread; after `isOver` none is accepted. */
type Running = {
  readonly session: Session;
  readonly finished: Promise<void>;
  isAborted: boolean;
  isOver: boolean;
  sent: number;
};

export function createSubagents(options: SubagentsOptions): Subagents {
  const running = new Map<string, Running>();
  const left = new Set<string>();
  return {
    leave: (id) => void left.add(id),
    nextReport: (signal) => nextReport(options, running, { left, signal }),
    has: (id) => isKnown(options, id),
    spawn: (order, place = null) => spawn(options, running, { order, place }),
    send: (id, message) => send(options, running, { id, message }),
    wait: (id, signal) => {
      left.delete(id);
      return wait(options, running, { id, signal });
    },
    close: (id) => close(options, running, id),
    closeAll: async (reason, which) => {
      const ended = [...running].filter(([id]) => which === undefined || !left.has(id));
      await Promise.all(
        ended.map(async ([, one]) => {
          one.isAborted ||= reason === 'aborted';
          await (reason === 'aborted' ? one.session.abort() : one.session.close());
          await one.finished;
        }),
      );
    },
  };
}

type Spawned = { readonly order: SpawnOrder; readonly place: AgentPlace | null };

function spawn(options: SubagentsOptions, running: Map<string, Running>, { order, place }: Spawned): ToolResult {
  const { depth, maxDepth, maxConcurrent } = options.limits();
  if (depth >= maxDepth)
    return refused(`Agents may be nested ${maxDepth} deep, and this one is at that depth already.`);
  if (isKnown(options, order.id)) return refused(`There is an agent ${order.id} already: choose another id.`);
  if (running.size >= maxConcurrent) {
    return refused(
      `${running.size} agents are at work, and no more may be: wait for one of ${[...running.keys()].join(', ')}.`,
    );
  }
  const childSessionId = newId('ses');
  const { id: subagentId, ...rest } = order;
  options.record({ kind: 'SUBAGENT_START', subagentId, childSessionId, ...rest });
  const failure = start(options, running, { order: { ...order, childSessionId }, place });
  return failure ?? said(`Agent ${order.id} is at work. wait gives its result; send_input talks to it.`);
}

function isKnown({ known }: SubagentsOptions, id: string): boolean {
  return known().some((child) => child.id === id);
}

/** Returns a refusal if the child can't be opened. None of its work has begun when this returns. */
function start(
  options: SubagentsOptions,
  running: Map<string, Running>,
  { order, place }: Spawned & { readonly order: ChildOrder },
): ToolResult | null {
  let session: Session;
  try {
    session = options.openChild(order, place);
  } catch (error) {
    const output = `Agent ${order.id} could not be started: ${messageOf(error)}`;
    const result = { output, success: false, turnsUsed: 0 };
    options.record({ kind: 'SUBAGENT_END', subagentId: order.id, status: 'error', result });
    return refused(output);
  }
  for (const message of place?.problems ?? []) options.record({ kind: 'WARNING', message });
  const told = tell(options, order.id, session);
  const finished = Promise.resolve()
    .then(() => work(order, one))
    .then(async (end) => {
      await session.close();
      await told;
      const left = (await place?.end(end !== null).catch(messageOf)) ?? null;
      if (end === null) return;
      const spent = { usage: session.usage(), model: order.model ?? options.model() };
      options.record({ kind: 'SUBAGENT_END', subagentId: order.id, ...withLine(end, left), ...spent });
    })
    // A parent that can no longer record notices that itself with its next event.
    .catch(() => undefined)
    .then(() => void running.delete(order.id));
  const one: Running = { session, finished, isAborted: false, isOver: false, sent: 0 };
  running.set(order.id, one);
  return null;
}

async function tell({ record }: SubagentsOptions, subagentId: string, session: Session): Promise<void> {
  try {
    for await (const event of session.events()) record({ kind: 'SUBAGENT_EVENT', subagentId, event });
  } catch {
    // The child's journal failed: its result reports that.
  }
}

function withLine(end: End, line: string | null): End {
  if (line === null) return end;
  const { output } = end.result;
  return { ...end, result: { ...end.result, output: [output, line].filter(Boolean).join('\n\n') } };
}

type End = { readonly status: Exclude<Subagent['status'], 'running' | 'interrupted'>; readonly result: SubagentResult };

/** From the first message to the end; null if the parent gave it up before. Never rejects. */
async function work(order: ChildOrder, one: Running): Promise<End | null> {
  const { session } = one;
  const problem = await instruct(order, one).then(
    () => session.error(),
    (error: unknown) => errorOf(error),
  );
  one.isOver = true;
  if (session.state() === 'CLOSED' && problem === null && !one.isAborted) return null;
  const status = one.isAborted ? 'aborted' : problem === null ? 'completed' : 'error';
  return { status, result: resultOf(session, problem) };
}

async function instruct(order: ChildOrder, one: Running): Promise<void> {
  const { session } = one;
  if (session.history().length === 0 && session.state() !== 'CLOSED') await session.submit(order.instruction);
  for (let seen = -1; seen !== one.sent && session.state() !== 'CLOSED';) {
    seen = one.sent;
    await session.resume();
  }
}

async function send(
  options: SubagentsOptions,
  running: Map<string, Running>,
  { id, message }: { readonly id: string; readonly message: string },
): Promise<ToolResult> {
  const one = running.get(id);
  if (one !== undefined && !one.isOver) {
    one.session.followUp(message);
    one.sent++;
    return said(`Agent ${id} takes it up when it is done with what it does.`);
  }
  const known = options.known().find((child) => child.id === id);
  if (known === undefined) return unknown(options, id);
  if (known.status !== 'interrupted') return refused(`Agent ${id} is not running any more: start another one.`);
  if (!options.hasJournals) return refused(`Agent ${id} was interrupted and what it knew is gone: start another one.`);
  const { status: _status, result: _result, childSessionId, ...order } = known;
  const { id: subagentId, ...rest } = order;
  const opened = await options.placeFor?.(order);
  if (opened?.ok === false) return refused(`Agent ${id} can't go on. ${opened.error.message}`);
  options.record({ kind: 'SUBAGENT_START', subagentId, childSessionId, ...rest });
  const place = opened?.value ?? null;
  const failure = start(options, running, { order: { ...order, childSessionId }, place });
  if (failure !== null) await place?.end(false);
  running.get(id)?.session.followUp(message);
  return failure ?? said(`Agent ${id} goes on from where it was interrupted, and takes this up then.`);
}

async function wait(
  options: SubagentsOptions,
  running: Map<string, Running>,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal | undefined },
): Promise<ToolResult> {
  const one = running.get(id);
  if (one !== undefined) await Promise.race([one.finished, fired(signal)]);
  const known = options.known().find((child) => child.id === id);
  if (known === undefined) return unknown(options, id);
  return known.result === undefined
    ? refused(`The wait for agent ${id} was ended before it was done.`)
    : said(textOfResult(known.result));
}

type Left = { readonly left: Set<string>; readonly signal: AbortSignal };

async function nextReport(
  options: SubagentsOptions,
  running: ReadonlyMap<string, Running>,
  { left, signal }: Left,
): Promise<AgentReport | null> {
  while (left.size > 0 && !signal.aborted) {
    const id = [...left].find((one) => !running.has(one));
    if (id !== undefined) {
      left.delete(id);
      const child = options.known().find((one) => one.id === id);
      const stopped = child?.status === 'aborted' ? 'It was stopped before it was done.' : '';
      return { id, output: [stopped, child?.result?.output].filter(Boolean).join('\n\n') };
    }
    await Promise.race([...[...left].flatMap((one) => running.get(one)?.finished ?? []), fired(signal)]);
  }
  return null;
}

async function close(options: SubagentsOptions, running: Map<string, Running>, id: string): Promise<ToolResult> {
  const one = running.get(id);
  if (one === undefined) {
    const known = options.known().find((child) => child.id === id);
    for (const { session } of known === undefined ? running.values() : []) {
      const stopped = await session.stopSubagent(id);
      if (!stopped.isError) return stopped;
    }
    return known === undefined ? unknown(options, id) : said(`Agent ${id} was over already (${known.status}).`);
  }
  one.isAborted = true;
  await one.session.abort();
  await one.finished;
  return said(`Agent ${id} was stopped.`);
}

function fired(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return new Promise(() => undefined);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function unknown(options: SubagentsOptions, id: string): ToolResult {
  const ids = options.known().map((child) => child.id);
  return refused(`There is no agent ${id}. ${ids.length === 0 ? 'None was started.' : `Known: ${ids.join(', ')}.`}`);
}

function said(output: string): ToolResult {
  return { output, isError: false };
}

function refused(output: string): ToolResult {
  return { output, isError: true };
}
