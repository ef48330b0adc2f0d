import type { SessionEvent } from '@attractor/agent';
import { defined } from '@attractor/base';
import { costOf, type Usage } from '@attractor/llm';
import type { Line } from '../themes/line.ts';
import { showCost, showSeconds } from './amounts.ts';
import type { Part, PartOptions } from './handlers.ts';
import { type CallState, deniedCall, endedCall, runningCall } from './tool-lines.ts';
import { type Step, stepsOf, toolTitle } from '@attractor/tool-table';

export type WorkingPart = Part & {
  readonly steps: () => ReadonlyArray<Step>;
  /** Shows more of what running calls print, or again the end only; false: none has printed anything. */
  readonly toggle: () => boolean;
};

type Child = {
  readonly words: string;
  readonly startedAt: number;
  readonly calls: number;
  readonly doing: string;
  readonly model?: string;
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
  const children = new Map<string, Child>();
  const judged = createJudged();
  let steps: ReadonlyArray<Step> = [];
  let isOpen = false;
  return {
    handlers: {
      APPROVAL_REQUESTED: ({ toolCallId }) => judged.note(toolCallId, { wasAsked: true }),
      PERMISSION_DENIED: ({ toolCallId, reason }) => judged.note(toolCallId, { denial: reason }),
      TOOL_CALL_START: ({ toolCallId, toolName, args }) => {
        calls.set(toolCallId, { toolName, args, output: '', startedAt: now() });
        steps = stepsOf(toolName, args) ?? steps;
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
        return endedCall({ ...call, wasAsked }, { output, isError, took: now() - call.startedAt });
      },
      SUBAGENT_START: ({ subagentId, instruction, agent, model }) => {
        const words = `${agent ?? 'agent'}: ${instruction.replaceAll(/\s+/g, ' ')}`;
        children.set(subagentId, { words, startedAt: now(), calls: 0, doing: '', ...defined({ model }) });
        return [];
      },
      SUBAGENT_EVENT: ({ subagentId, event }) => {
        const child = children.get(subagentId);
        if (child !== undefined) children.set(subagentId, doingIn(child, event));
        return [];
      },
      SUBAGENT_END: ({ subagentId, status, usage, model }) => {
        const child = children.get(subagentId);
        children.delete(subagentId);
        if (child === undefined) return [];
        const took = now() - child.startedAt;
        return [endedChild(child, status === 'completed', { usage, model: model ?? child.model, took })];
      },
    },
    live: () => [
      ...[...calls.values()].flatMap((call) => runningCall(call, { now: now(), isOpen })),
      ...[...children.values()].map((child) => childLine(child, now())),
    ],
    steps: () => steps,
    toggle: () => {
      const can = [...calls.values()].some(({ output }) => output.trim() !== '');
      isOpen = can && !isOpen;
      return can;
    },
  };
}

function doingIn(child: Child, event: SessionEvent): Child {
  if (event.kind !== 'TOOL_CALL_START') return child;
  return { ...child, calls: child.calls + 1, doing: toolTitle(event.toolName) };
}

type ChildEnd = { readonly usage: Usage | undefined; readonly model: string | undefined; readonly took: number };

function endedChild({ words, calls }: Child, isDone: boolean, { usage, model, took }: ChildEnd): Line {
  const cost = usage === undefined || model === undefined ? '' : ` · ${showCost(costOf(model, usage))}`;
  return [
    { text: isDone ? '● ' : '✗ ', role: isDone ? 'good' : 'bad' },
    { text: words.slice(0, 120) },
    { text: `  ${callsOf(calls)} · ${showSeconds(took)}${cost}`, role: 'dim' },
  ];
}

function childLine({ words, startedAt, calls, doing }: Child, now: number): Line {
  return [
    { text: '◌ ', role: 'accent' },
    { text: words.slice(0, 60) },
    { text: `  ${callsOf(calls)} · ${showSeconds(now - startedAt)}${doing === '' ? '' : ` · ${doing}`}`, role: 'dim' },
  ];
}

function callsOf(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`;
}
