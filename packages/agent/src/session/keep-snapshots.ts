import { isCommand } from '@attractor/policy';
import type { DeliveredEvent, SessionEvent } from '../types/index.ts';
import { failed } from '@attractor/base';
import type { RewindPreview, SnapshotRequest, Undo, UndoFailure, UndoOptions, UndoOutcome } from '@attractor/undo';

/**
 * Takes the snapshots of a session: of a person's changes before the agent's first change after each input, and of the agent's changes
 * after each call that may have changed something, while the model is busy. A call waits for the snapshot before it, so that a change is
 * attributed to the call that made it. Only shell commands in direct succession, without a pause for the model, share a snapshot.
 */
export type SnapshotKeeper = {
  /** Resolves once the current files are saved, so a change may begin. */
  readonly beforeChange: (toolName: string) => Promise<void>;
  readonly see: (event: DeliveredEvent) => void;
  /** The first failure, if any; the work then continues without snapshots. */
  readonly failure: () => UndoFailure | null;
  /** Takes the files back to what they were at this position of the session, or only looks what that would change. */
  readonly rewind: (seq: number, how: 'look' | 'do') => Promise<UndoOutcome<RewindPreview>>;
  readonly close: () => Promise<void>;
};

/** Shorter than any model's thinking, longer than a command that does nothing. */
const PAUSE_MS = 50;

/** A keeper for one session. Its store is opened before the first change. */
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
    beforeChange,
    see: (event) => {
      moment = { turn: moment.turn + (event.kind === 'ASSISTANT_MESSAGE' ? 1 : 0), seq: event.seq };
      if (event.kind === 'USER_INPUT') input = moment;
      const call = innermost(event);
      if (call.kind === 'TOOL_CALL_START' && call.readOnly !== true) changing.add(call.toolCallId);
      if (call.kind === 'TOOL_CALL_END' && changing.delete(call.toolCallId)) noteChange(call.toolName);
    },
    failure: taker.failure,
    rewind: (seq, how) => {
      flush();
      const { seq: now } = moment;
      return taker.use((undo) => (how === 'look' ? undo.preview({ seq }) : undo.rewind({ seq }, { seq: now })));
    },
    close: async () => {
      flush();
      await taker.close();
    },
  };
}

/** A subagent's calls change the same files, so its events are unwrapped. */
function innermost(event: SessionEvent): SessionEvent {
  return event.kind === 'SUBAGENT_EVENT' ? innermost(event.event) : event;
}

const NOTHING_KEPT: UndoFailure = {
  code: 'unknown_target',
  message: 'nothing was kept of the files',
  retryable: false,
};

type Taker = {
  readonly take: (request: SnapshotRequest) => void;
  readonly idle: () => Promise<void>;
  /** Works on the store once everything before is taken. */
  readonly use: <Value>(work: (undo: Undo) => Promise<UndoOutcome<Value>>) => Promise<UndoOutcome<Value>>;
  readonly failure: () => UndoFailure | null;
  readonly close: () => Promise<void>;
};

/** Takes one snapshot after the other; the store is opened for the first. After a failure no more are taken. */
function createTaker(options: UndoOptions): Taker {
  let undo: Undo | null = null;
  let failure: UndoFailure | null = null;
  let queue: Promise<void> = Promise.resolve();
  const valueOf = <T>(outcome: UndoOutcome<T>): T | null => {
    if (outcome.ok) return outcome.value;
    failure ??= outcome.error;
    return null;
  };
  const open = async (): Promise<Undo | null> => {
    if (failure !== null) return null;
    // Loaded with the first change: a session's first request does not wait for it.
    undo ??= valueOf(await (await import('@attractor/undo')).openUndo(options))?.undo ?? null;
    return undo;
  };
  const takeNow = async (request: SnapshotRequest): Promise<void> => {
    const opened = await open();
    if (opened !== null) valueOf(await opened.snapshot(request));
  };
  return {
    take: (request) => {
      queue = queue.then(() => takeNow(request));
    },
    idle: () => queue,
    use: (work) => {
      const done = queue.then(async () => {
        const opened = await open();
        return opened === null ? failed(failure ?? NOTHING_KEPT) : work(opened);
      });
      queue = done.then(() => undefined);
      return done;
    },
    failure: () => failure,
    close: async () => {
      await queue;
      await undo?.close();
    },
  };
}
