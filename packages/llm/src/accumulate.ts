import { defined } from '@attractor/base';
import type { ContentPart, ToolCallPart } from './types/content.ts';
import type { StreamEvent } from './types/stream.ts';

/**
 * The content of an answer so far, as a pure fold over its events: `accumulate(state, event) → state`. Parts keep the order of their START;
 * a tool call counts only after its END, so there is never half a call.
 */
export type Accumulated = { readonly parts: ReadonlyArray<Draft> };

type Draft =
  | { readonly kind: 'TEXT'; readonly id: string; readonly text: string }
  | {
      readonly kind: 'THINKING';
      readonly id: string;
      readonly text: string;
      readonly signature?: string;
      readonly redactedData?: string;
    }
  | { readonly kind: 'TOOL_CALL'; readonly id: string; readonly call?: ToolCallPart };

export const NOTHING_YET: Accumulated = { parts: [] };

/** The content after one more event; the state before it stays as it was. */
export function accumulate(state: Accumulated, event: StreamEvent): Accumulated {
  switch (event.kind) {
    case 'TEXT_START':
      return { parts: [...state.parts, { kind: 'TEXT', id: event.id, text: '' }] };
    case 'THINKING_START':
      return { parts: [...state.parts, { kind: 'THINKING', id: event.id, text: '' }] };
    case 'TOOL_CALL_START':
      return { parts: [...state.parts, { kind: 'TOOL_CALL', id: event.toolCallId }] };
    case 'TEXT_DELTA':
    case 'THINKING_DELTA':
      return changeLast(state, event.id, (draft) =>
        draft.kind === 'TOOL_CALL' ? draft : { ...draft, text: draft.text + event.text },
      );
    case 'THINKING_END':
      return changeLast(state, event.id, (draft) =>
        draft.kind === 'THINKING' ? { ...draft, ...proofOf(event) } : draft,
      );
    case 'TOOL_CALL_END':
      return changeLast(state, event.toolCallId, (draft) =>
        draft.kind === 'TOOL_CALL' ? { ...draft, call: event.call } : draft,
      );
    default:
      return state;
  }
}

/** The message parts, without empty ones; `origin` says whose signatures these are. */
export function contentOf(state: Accumulated, origin: string): ReadonlyArray<ContentPart> {
  return state.parts.flatMap((draft) => finished(draft, origin));
}

function finished(draft: Draft, origin: string): ReadonlyArray<ContentPart> {
  if (draft.kind === 'TOOL_CALL') return draft.call === undefined ? [] : [signed(draft.call, origin)];
  const text = draft.text.toWellFormed();
  if (draft.kind === 'TEXT') return text === '' ? [] : [{ kind: 'TEXT', text }];
  if (draft.redactedData !== undefined) return [{ kind: 'REDACTED_THINKING', data: draft.redactedData, origin }];
  if (text === '' && draft.signature === undefined) return [];
  return [{ kind: 'THINKING', text, origin, ...defined({ signature: draft.signature }) }];
}

function signed(call: ToolCallPart, origin: string): ToolCallPart {
  return call.signature === undefined ? call : { ...call, origin };
}

/** Ids may repeat within an answer; new content belongs to the latest part with the id. */
function changeLast(state: Accumulated, id: string, change: (draft: Draft) => Draft): Accumulated {
  const at = state.parts.findLastIndex((draft) => draft.id === id);
  const draft = state.parts[at];
  return draft === undefined ? state : { parts: state.parts.with(at, change(draft)) };
}

function proofOf(event: { readonly signature?: string; readonly redactedData?: string }): {
  signature?: string;
  redactedData?: string;
} {
  return {
    ...defined({ signature: event.signature, redactedData: event.redactedData }),
  };
}
