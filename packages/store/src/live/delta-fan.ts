import type { LiveChannel } from '../database/live-channel.ts';
import type { LiveDelta } from '../types/event.ts';
import { foldDelta, type LiveText, NO_LIVE_TEXT, settleLive, type SettledMessage } from '../types/live-text.ts';
import { relayDeltas, type Relayed } from './relay-deltas.ts';

/**
 * Live text for everyone who watches, here and in the other processes of the database. It is kept in memory from the beginning of the
 * message that an agent is writing, for those who come later, until the message is finished and the log has it.
 */
export type DeltaFan = {
  readonly send: (delta: LiveDelta) => void;
  /** A message is finished: its text comes from the log. */
  readonly settle: (runId: string, message: SettledMessage) => void;
  /** The agent has ended. */
  readonly forget: (runId: string) => void;
  /** First what is live now, then each piece as it comes. */
  readonly listen: (listener: (delta: LiveDelta) => void) => () => void;
};

/** Of a longer text the end is kept, at least this many characters. */
const KEPT = 200_000;

type Writing = { readonly taskId: string; readonly live: LiveText };

/** `others`: the way to the other processes; absent: this one has the database to itself, or hears nothing of them. */
export function createDeltaFan(others?: LiveChannel): DeltaFan {
  const listeners = new Set<(delta: LiveDelta) => void>();
  const writing = new Map<string, Writing>();
  const keep = ({ taskId, runId, delta }: LiveDelta): void => {
    const { live } = writing.get(runId) ?? { live: NO_LIVE_TEXT };
    writing.set(runId, { taskId, live: bounded(foldDelta(live, { delta })) });
  };
  const fanOut = (delta: LiveDelta): void => {
    keep(delta);
    for (const listener of listeners) listener(delta);
  };
  const hear = ({ taskId, runId, deltas, isQuiet, isOver }: Relayed): void => {
    for (const delta of deltas) (isQuiet === true ? keep : fanOut)({ taskId, runId, delta });
    if (isOver === true) writing.delete(runId);
  };
  const relay = others === undefined ? null : relayDeltas(others, hear);
  return {
    send: (delta) => {
      fanOut(delta);
      relay?.send(delta);
    },
    settle: (runId, message) => {
      const before = writing.get(runId);
      if (before === undefined) return;
      const { taskId } = before;
      const live = settleLive(before.live, message);
      writing.set(runId, { taskId, live });
      relay?.tell({ taskId, runId, deltas: [{ kind: 'reset' }, ...piecesOf(live)], isQuiet: true });
    },
    forget: (runId) => {
      const { taskId } = writing.get(runId) ?? {};
      writing.delete(runId);
      if (taskId !== undefined) relay?.tell({ taskId, runId, deltas: [], isOver: true });
    },
    listen: (listener) => {
      relay?.listen();
      for (const [runId, { taskId, live }] of writing)
        for (const delta of wholeOf(live)) listener({ taskId, runId, delta });
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Whoever comes back may have a part of it already: that is taken back first. */
function wholeOf(live: LiveText): ReadonlyArray<LiveDelta['delta']> {
  const pieces = piecesOf(live);
  return pieces.length === 0 ? [] : [{ kind: 'reset' }, ...pieces];
}

function piecesOf({ text, thinking, toolOutput }: LiveText): ReadonlyArray<LiveDelta['delta']> {
  return [
    { kind: 'thinking_delta', text: thinking },
    { kind: 'text_delta', text },
    ...Object.entries(toolOutput).map(([toolCallId, output]) => ({
      kind: 'tool_output_delta',
      toolCallId,
      text: output,
    })),
  ].filter((piece) => piece.text !== '');
}

function bounded(live: LiveText): LiveText {
  if (live.text.length <= 2 * KEPT && live.thinking.length <= 2 * KEPT) return live;
  return { ...live, text: live.text.slice(-KEPT), thinking: live.thinking.slice(-KEPT) };
}
