import { isCommand } from '@attractor/policy';
import type { Approve } from '../contract/session.ts';
import type { DeliveredEvent, SessionEvent } from '../types/index.ts';
import {
  openUndo,
  type SnapshotRequest,
  type Undo,
  type UndoFailure,
  type UndoOptions,
  type UndoOutcome,
} from '@attractor/undo';

/**
 * Keeps the snapshots of a session: of a person's changes before the agent's first one after each input, and of the agent's after
 * each call that may have changed something, taken while the model is asked. A call waits for the snapshot before it, so that a
 * change is reported to the call that made it. Only shell commands that follow each other at once, with no pause for a model to think
 * in, share one.
 */
export type SnapshotKeeper = {
  /** Wraps the session's own approval: what is allowed waits until the files as they are now are kept. */
  readonly guard: (approve: Approve) => Approve;
  /** Resolves once the files as they are now are kept: a change may begin. */
  readonly beforeChange: (toolName: string) => Promise<void>;
  readonly see: (event: DeliveredEvent) => void;
  /** The first thing that went wrong, if any; work goes on without snapshots then. */
  readonly failure: () => UndoFailure | null;
  readonly close: () => Promise<void>;
};

/** Shorter than any model thinks, longer than a command that did nothing. */
const PAUSE_MS = 50;

/** A keeper for one session. Its store is opened when something is first about to change. */
export function keepSnapshots(options: UndoOptions): SnapshotKeeper {
  const changing = new Set<string>();
  const taker = createTaker(options);
  let moment = { turn: 0, seq: 0 };
  let input: { readonly turn: number; readonly seq: number } | null = null;
  let waiting: { readonly request: SnapshotRequest; readonly timer: NodeJS.Timeout } | null = null;

  const flush = (): void => {
    if (waiting === null) return;
    clearTimeout(waiting.timer);
    taker.take(waiting.request);
    waiting = null;
  };
  const takePersons = (): void => {
    if (input === null) return;
    flush();
    taker.take({ ...input, by: 'person', label: 'before the agent works on an input' });
    input = null;
  };
  const noteChange = (toolName: string): void => {
    const request: SnapshotRequest = { ...moment, by: 'agent', label: toolName };
    if (!isCommand(toolName)) {
      flush();
      taker.take(request);
      return;
    }
    if (waiting !== null) clearTimeout(waiting.timer);
    waiting = { request, timer: setTimeout(flush, PAUSE_MS) };
  };
  const beforeChange = async (toolName: string): Promise<void> => {
    takePersons();
    if (!isCommand(toolName)) flush();
    await taker.idle();
  };
  return {
    guard: (approve) => async (request) => {
      const answer = await approve(request);
      if (answer.allowed) await beforeChange(request.toolName);
      return answer;
    },
    beforeChange,
    see: (event) => {
      moment = { turn: moment.turn + (event.kind === 'ASSISTANT_MESSAGE' ? 1 : 0), seq: event.seq };
      if (event.kind === 'USER_INPUT') input = moment;
      const call = innermost(event);
      if (call.kind === 'TOOL_CALL_START' && call.readOnly !== true) changing.add(call.toolCallId);
      if (call.kind === 'TOOL_CALL_END' && changing.delete(call.toolCallId)) noteChange(call.toolName);
    },
    failure: taker.failure,
    close: async () => {
      flush();
      await taker.close();
    },
  };
}

/** A subagent's calls change the same files. */
function innermost(event: SessionEvent): SessionEvent {
  return event.kind === 'SUBAGENT_EVENT' ? innermost(event.event) : event;
}

type Taker = {
  readonly take: (request: SnapshotRequest) => void;
  readonly idle: () => Promise<void>;
  readonly failure: () => UndoFailure | null;
  readonly close: () => Promise<void>;
};

/** One snapshot after the other; the store is opened for the first. After a failure nothing more is taken. */
function createTaker(options: UndoOptions): Taker {
  let undo: Undo | null = null;
  let failure: UndoFailure | null = null;
  let queue: Promise<void> = Promise.resolve();
  const valueOf = <T>(outcome: UndoOutcome<T>): T | null => {
    if (outcome.ok) return outcome.value;
    failure ??= outcome.error;
    return null;
  };
  const takeNow = async (request: SnapshotRequest): Promise<void> => {
    if (failure !== null) return;
    undo ??= valueOf(await openUndo(options))?.undo ?? null;
    if (undo !== null) valueOf(await undo.snapshot(request));
  };
  return {
    take: (request) => {
      queue = queue.then(() => takeNow(request));
    },
    idle: () => queue,
    failure: () => failure,
    close: async () => {
      await queue;
      await undo?.close();
    },
  };
}
