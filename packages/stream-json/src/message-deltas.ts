import type { DeliveredEvent } from '@attractor/journal';
import { type Block, blocksOf, stopReasonOf, usageOf } from './messages-shape.ts';

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * A message while it arrives, in the events of the Messages API: a start, blocks that each start, grow and stop, an end. Every message that
 * started ends, and the blocks together are the message that follows.
 */
export type MessageDeltas = {
  readonly take: (event: DeliveredEvent) => ReadonlyArray<Part>;
  /** Those of a subagent, which speaks at the same time. */
  readonly of: (subagentId: string) => MessageDeltas;
};

type Open = { readonly kind: 'text' | 'thinking'; readonly index: number };

type State = { isOpen: boolean; block: Open | null; next: number };

export function createMessageDeltas(model: () => string): MessageDeltas {
  const state: State = { isOpen: false, block: null, next: 0 };
  const others = new Map<string, MessageDeltas>();
  return {
    take: (event) => PARTS[event.kind]?.(state, event, model()) ?? [],
    of: (subagentId) => {
      const known = others.get(subagentId) ?? createMessageDeltas(model);
      others.set(subagentId, known);
      return known;
    },
  };
}

const PARTS: Readonly<
  Partial<Record<DeliveredEvent['kind'], (state: State, event: DeliveredEvent, model: string) => ReadonlyArray<Part>>>
> = {
  ASSISTANT_TEXT_START: (state, _event, model) => [...abandoned(state), start(state, model)],
  ASSISTANT_TEXT_DELTA: (state, event, model) =>
    event.kind === 'ASSISTANT_TEXT_DELTA'
      ? grown(state, model, { kind: 'text', delta: { type: 'text_delta', text: event.text } })
      : [],
  THINKING_DELTA: (state, event, model) =>
    event.kind === 'THINKING_DELTA'
      ? grown(state, model, { kind: 'thinking', delta: { type: 'thinking_delta', thinking: event.text } })
      : [],
  ASSISTANT_TEXT_DISCARDED: (state) => abandoned(state),
  ASSISTANT_MESSAGE: (state, event, model) => (event.kind === 'ASSISTANT_MESSAGE' ? ended(state, event, model) : []),
};

function start(state: State, model: string): Part {
  Object.assign(state, { isOpen: true, block: null, next: 0 });
  const message = { id: '', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage: NONE };
  return { type: 'message_start', message };
}

const NONE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

type Growth = { readonly kind: Open['kind']; readonly delta: Part };

function grown(state: State, model: string, { kind, delta }: Growth): ReadonlyArray<Part> {
  const parts: Part[] = state.isOpen ? [] : [start(state, model)];
  if (state.block?.kind !== kind) {
    parts.push(...stopped(state));
    state.block = { kind, index: state.next++ };
    const empty = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
    parts.push({ type: 'content_block_start', index: state.block.index, content_block: empty });
  }
  return [...parts, { type: 'content_block_delta', index: state.block.index, delta }];
}

function stopped(state: State): ReadonlyArray<Part> {
  const { block } = state;
  state.block = null;
  return block === null ? [] : [{ type: 'content_block_stop', index: block.index }];
}

/** The stream broke, and the model is asked again: what was shown ends without being a message. */
function abandoned(state: State): ReadonlyArray<Part> {
  if (!state.isOpen) return [];
  const parts = [...stopped(state), { type: 'message_stop' }];
  state.isOpen = false;
  return parts;
}

/** Calls come with the whole message: each is a block of one delta. */
function ended(
  state: State,
  event: Extract<DeliveredEvent, { kind: 'ASSISTANT_MESSAGE' }>,
  model: string,
): ReadonlyArray<Part> {
  const begun = state.isOpen ? [] : [start(state, model)];
  const calls = blocksOf(event.content).filter(({ type }) => type === 'tool_use');
  const parts = [...begun, ...stopped(state), ...calls.flatMap((call) => callParts(call, state.next++))];
  state.isOpen = false;
  const delta = { stop_reason: stopReasonOf(event), stop_sequence: null };
  return [...parts, { type: 'message_delta', delta, usage: usageOf(event.usage) }, { type: 'message_stop' }];
}

function callParts({ input, ...call }: Block, index: number): ReadonlyArray<Part> {
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) };
  return [
    { type: 'content_block_start', index, content_block: { ...call, input: {} } },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}
