import type { SessionEvent } from '@attractor/agent';
import { defined } from '@attractor/base';
import { costOf, type Usage } from '@attractor/llm';
import { toolTitle } from '@attractor/tool-table';
import type { Line } from '../themes/line.ts';
import { showCost, showSeconds } from './amounts.ts';
import type { Part } from './handlers.ts';
import { noticeOf } from './notices.ts';
import type { Args } from './tool-words.ts';

type Child = {
  readonly words: string;
  readonly startedAt: number;
  readonly calls: number;
  readonly doing: string;
  /** The call for which it asks, or asked last. */
  readonly asksFor?: string;
  readonly model?: string;
};

export type ChildrenPart = Part & {
  readonly askerOf: (toolCallId: string) => string | null;
};

export type ChildrenOptions = {
  readonly now: () => number;
  /** The arguments of the call that sent an agent out with this instruction, which has a line of its own from now on. */
  readonly taken: (instruction: string) => Args | null;
};

/** Agents that the model sent out, each a line. */
export function createChildrenPart({ now, taken }: ChildrenOptions): ChildrenPart {
  const children = new Map<string, Child>();
  return {
    handlers: {
      SUBAGENT_START: ({ subagentId, instruction, agent, model }) => {
        const words = `${agent ?? 'agent'}: ${sentFor(taken(instruction), instruction)}`;
        children.set(subagentId, { words, startedAt: now(), calls: 0, doing: '', ...defined({ model }) });
        return [];
      },
      SUBAGENT_EVENT: ({ subagentId, event }) => {
        const child = children.get(subagentId);
        if (child === undefined) return [];
        children.set(subagentId, doingIn(child, event));
        return answerIn(child, event);
      },
      SUBAGENT_END: ({ subagentId, status, usage, model }) => {
        const child = children.get(subagentId);
        children.delete(subagentId);
        if (child === undefined) return [];
        const took = now() - child.startedAt;
        return [endedChild(child, status === 'completed', { usage, model: model ?? child.model, took })];
      },
    },
    live: () => [...children.values()].map((child) => childLine(child, now())),
    askerOf: (toolCallId) => [...children.values()].find(({ asksFor }) => asksFor === toolCallId)?.words ?? null,
  };
}

/** What the model calls the work, in a few words; else the beginning of what it said. */
function sentFor(args: Args | null, instruction: string): string {
  const title = args?.['description'];
  return (typeof title === 'string' && title !== '' ? title : instruction).replaceAll(/\s+/g, ' ');
}

function doingIn(child: Child, event: SessionEvent): Child {
  if (event.kind === 'APPROVAL_REQUESTED') return { ...child, asksFor: event.toolCallId };
  if (event.kind !== 'TOOL_CALL_START') return child;
  return { ...child, calls: child.calls + 1, doing: toolTitle(event.toolName) };
}

/** What a person answered to an agent that was sent out: the results of its calls are not told. */
function answerIn({ words }: Child, event: SessionEvent): ReadonlyArray<Line> {
  if (event.kind !== 'APPROVAL_ANSWERED') return [];
  if (event.allowed) return noticeOf(event);
  return [
    [
      { text: '✗ ', role: 'bad' },
      { text: words.slice(0, 120) },
      { text: `  ${event.reason ?? 'not allowed'}`, role: 'bad' },
    ],
  ];
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
