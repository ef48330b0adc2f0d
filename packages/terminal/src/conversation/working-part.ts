import type { Line } from '../themes/line.ts';
import { type ChildrenPart, createChildrenPart } from './children-part.ts';
import type { Part, PartOptions } from './handlers.ts';
import { type CallState, deniedCall, endedCall, runningCall } from './tool-lines.ts';
import { type Step, stepsOf, toolTitle } from '@attractor/tool-table';

export type WorkingPart = Omit<Part, 'live'> & {
  /** `most`: how many rows there are for what a call that is unfolded prints. */
  readonly live: (most?: number) => ReadonlyArray<Line>;
  readonly steps: () => ReadonlyArray<Step>;
  /** Another conversation begins, without steps. */
  readonly begin: () => void;
  readonly askerOf: ChildrenPart['askerOf'];
  /** Shows more of what running calls print, or again the end only; false: none has printed anything. */
  readonly toggle: () => boolean;
};

/** How a call was judged: `denial` is the reason of the rule that forbids it. */
type Judged = { readonly wasAsked?: boolean; readonly denial?: string };

function createJudged() {
  const calls = new Map<string, Judged>();
  return {
    note: (id: string, more: Judged): ReadonlyArray<Line> => {
      calls.set(id, { ...calls.get(id), ...more });
      return [];
    },
    take: (id: string): Judged => {
      const known = calls.get(id);
      calls.delete(id);
      return known ?? {};
    },
  };
}

/** Of the output of a command that runs only the end is shown. */
const MOST_LIVE = 4_000;

/** What the model does: calls, each a line, and the agents that it sent out. */
export function createWorkingPart({ now, fold }: PartOptions): WorkingPart {
  const calls = new Map<string, CallState>();
  const judged = createJudged();
  let steps: ReadonlyArray<Step> = [];
  let isOpen = false;
  /** Calls that sent an agent out, which has a line of its own. */
  const sent = new Set<string>();
  const children = createChildrenPart({
    now,
    taken: (instruction) => {
      const found = [...calls].find(([id, { args }]) => !sent.has(id) && Object.values(args).includes(instruction));
      if (found === undefined) return null;
      sent.add(found[0]);
      return found[1].args;
    },
  });
  return {
    handlers: {
      APPROVAL_REQUESTED: ({ toolCallId }) => judged.note(toolCallId, { wasAsked: true }),
      PERMISSION_DENIED: ({ toolCallId, reason }) => judged.note(toolCallId, { denial: reason }),
      TOOL_CALL_START: ({ toolCallId, toolName, args }) => {
        calls.set(toolCallId, { toolName, args, output: '', startedAt: now() });
        return [];
      },
      TOOL_CALL_OUTPUT_DELTA: ({ toolCallId, text }) => {
        const call = calls.get(toolCallId);
        if (call !== undefined) calls.set(toolCallId, { ...call, output: (call.output + text).slice(-MOST_LIVE) });
        return [];
      },
      TOOL_CALL_END: ({ toolCallId, toolName, output, isError }) => {
        const call = calls.get(toolCallId) ?? { toolName, args: {}, output: '', startedAt: now() };
        calls.delete(toolCallId);
        isOpen &&= calls.size > 0;
        const { wasAsked = false, denial } = judged.take(toolCallId);
        if (output.trim() !== '') fold({ title: `Output of ${toolTitle(toolName)}`, text: output });
        if (denial !== undefined) return deniedCall(call, denial);
        if (!isError) steps = stepsOf(toolName, call.args) ?? steps;
        if (sent.delete(toolCallId) && !isError) return [];
        return endedCall({ ...call, wasAsked }, { output, isError, took: now() - call.startedAt });
      },
      ...children.handlers,
    },
    live: (most) => [
      ...[...calls].flatMap(([id, call]) => (sent.has(id) ? [] : runningCall(call, { now: now(), isOpen, most }))),
      ...children.live(),
    ],
    steps: () => steps,
    begin: () => {
      steps = [];
    },
    askerOf: children.askerOf,
    toggle: () => {
      const can = [...calls.values()].some(({ output }) => output.trim() !== '');
      isOpen = can && !isOpen;
      return can;
    },
  };
}
