import { type AgentSession, type SessionConfig, type SnapshotKeeper, truncateToolOutput } from '@attractor/agent';
import { type DeliveredEvent, isNamed, type SessionEvent } from '@attractor/journal';
import type { Usage } from '@attractor/llm';
import { ownNameOf } from '@attractor/tool-table';
import { createLineCount, type LineCount } from './changed-lines.ts';
import { debugLog } from './debug-log.ts';
import type { HeadlessInput } from './headless-input.ts';
import {
  count,
  countUsage,
  createLiveLines,
  createMessageDeltas,
  linesOf,
  type LiveLines,
  NOTHING,
  type Tally,
} from '@attractor/stream-json';

export type SessionWatch = {
  readonly tally: () => Tally;
  readonly ended: Promise<void>;
  readonly overBudget: () => boolean;
  readonly lines: () => LineCount;
  /** What is told of an agent at work; null: it is not at work. */
  readonly aboutAgent: LiveLines['aboutAgent'];
  /** Something was asked of a model beside the conversation. */
  readonly pay: (model: string, usage: Usage) => void;
  /** The input was answered without the model. */
  readonly answerWith: (text: string) => void;
  /** Another input comes. */
  readonly expectInput: () => void;
  /** Where in the session the input of this name is; null: it is unknown. */
  readonly seqOf: (id: string) => number | null;
  /** Tells what was stopped beside the conversation. */
  readonly lookAtTasks: () => void;
  /** Resolves once every event recorded so far is counted and its lines are written. */
  readonly caughtUp: () => Promise<void>;
};

type Watching = {
  readonly isHidden: (toolName: string) => boolean;
  readonly keeper: SnapshotKeeper;
  /** An event as its lines tell it. */
  readonly seen: (event: DeliveredEvent) => DeliveredEvent;
  readonly hear: (event: DeliveredEvent) => void;
  /** What the run used before. Absent: nothing. */
  readonly from?: Tally;
};

/** Reads the session's events: counts them, writes their lines, and stops the session when the budget is spent. */
export function watchSession(
  session: AgentSession,
  input: HeadlessInput,
  { isHidden, keeper, seen, hear: alsoHear, from = NOTHING }: Watching,
): SessionWatch {
  const { flags, write } = input;
  const limits = flags.config as Pick<SessionConfig, 'toolOutputLimits' | 'toolLineLimits'>;
  const calls = new Map<string, string>();
  const options = {
    partial: flags.includePartialMessages === true ? createMessageDeltas(() => session.model) : null,
    shorten: (toolName: string, output: string) => truncateToolOutput(output, toolName, limits),
    callOf: (subagentId: string) => calls.get(subagentId) ?? subagentId,
  };
  const live = createLiveLines({
    write,
    callOf: options.callOf,
    commands: session.background.list,
    listed: () => session.names().listed,
  });
  const lines = createLineCount();
  const listening = [keeper.see, lines.see, input.progress?.see, debugLog(input), warner(input), alsoHear];
  const notes = [...input.notes];
  let tally = unanswered(from);
  let over = false;
  const read = async (): Promise<void> => {
    for await (const event of session.events()) {
      tally = count(tally, event);
      for (const hear of listening) hear?.(event);
      noteSpawn(event, calls);
      if (isAnswered(event)) notes.splice(0).forEach(input.tell);
      if (flags.outputFormat === 'stream-json' && !isHiddenEvent(event, isHidden)) {
        live.see(event);
        linesOf(seen(event), options).forEach(write);
      }
      if (!over && (tally.costUsd ?? 0) > (flags.maxBudgetUsd ?? Infinity)) {
        over = true;
        void session.interrupt();
      }
    }
  };
  // Events end with a throw only if the journal failed; the session's own error says so.
  return {
    tally: () => tally,
    lines: lines.sum,
    aboutAgent: live.aboutAgent,
    pay: (model, usage) => void (tally = countUsage(tally, model, usage)),
    answerWith: (text) => void (tally = { ...unanswered(tally), text }),
    ended: read().then(live.stop, live.stop),
    overBudget: () => over,
    expectInput: () => void (tally = unanswered(tally)),
    lookAtTasks: flags.outputFormat === 'stream-json' ? live.look : () => undefined,
    seqOf: (id) => {
      for (const record of input.place.journal.records())
        if (record.event.kind === 'USER_INPUT' && isNamed(record, id, [session.id])) return record.seq;
      return null;
    },
    // Waiting events are taken one microtask after the other.
    caughtUp: () => new Promise((resolve) => void setImmediate(resolve)),
  };
}

/** A prompt that is answered by nothing has not the answer of the one before. */
function unanswered(tally: Tally): Tally {
  return { ...tally, text: '', last: null, error: null, lack: null };
}

/** Of an outage, which would otherwise look like a program that hangs. */
const WAITING = 'It is asked again until it answers, for some minutes; Ctrl-C ends the wait.';

function messageIn(event: SessionEvent): string | null {
  if (event.kind === 'CONNECTION_LOST') return `${event.message} ${WAITING}`;
  // What ends the run is told with its end.
  return event.kind === 'WARNING' && event.about === undefined ? event.message : null;
}

/** Warnings for a person who reads no lines about each step, such as a guard that failed: each is said once. */
function warner({ flags, tell }: HeadlessInput): (event: DeliveredEvent) => void {
  const said = new Set<string>();
  return (event) => {
    const told = event.kind === 'SUBAGENT_EVENT' ? event.event : event;
    const message = messageIn(told);
    if (message === null || flags.outputFormat === 'stream-json' || said.has(message)) return;
    said.add(message);
    tell(message);
  };
}

/** A service that was never asked, for want of a key, did not answer. */
function isAnswered(event: DeliveredEvent): boolean {
  if (event.kind === 'ERROR') return !('code' in event.error && UNASKED.has(event.error.code));
  return (
    event.kind === 'ASSISTANT_MESSAGE' || event.kind === 'ASSISTANT_TEXT_DELTA' || event.kind === 'CONNECTION_LOST'
  );
}

const UNASKED: ReadonlySet<unknown> = new Set(['authentication', 'configuration']);

function isHiddenEvent(event: DeliveredEvent, isHidden: (toolName: string) => boolean): boolean {
  return event.kind === 'TOOL_CALL_END' && isHidden(event.toolName);
}

/** A model names the agents that it spawns; readers of the lines know calls. */
function noteSpawn(event: DeliveredEvent, calls: Map<string, string>): void {
  if (event.kind !== 'TOOL_CALL_START' || ownNameOf(event.toolName) !== 'spawn_agent') return;
  const { id } = event.args;
  if (typeof id === 'string') calls.set(id, event.toolCallId);
}
