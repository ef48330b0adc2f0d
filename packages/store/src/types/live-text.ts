import type { LiveDelta } from './event.ts';

/** The unfinished text of one run. Never stored: the finished message replaces it. */
export type LiveText = {
  readonly text: string;
  readonly thinking: string;
  readonly toolOutput: Readonly<Record<string, string>>;
};

export const NO_LIVE_TEXT: LiveText = { text: '', thinking: '', toolOutput: {} };

/** Only the end of a long tool output is kept; the whole comes with its result. */
const TOOL_OUTPUT_KEPT = 20_000;

export function foldDelta(live: LiveText, { delta }: Pick<LiveDelta, 'delta'>): LiveText {
  if (!isTextDelta(delta)) return live;
  if (delta.kind === 'reset') return NO_LIVE_TEXT;
  if (delta.kind === 'text_delta') return { ...live, text: live.text + delta.text };
  if (delta.kind === 'thinking_delta') return { ...live, thinking: live.thinking + delta.text };
  const output = ((live.toolOutput[delta.toolCallId] ?? '') + delta.text).slice(-TOOL_OUTPUT_KEPT);
  return { ...live, toolOutput: { ...live.toolOutput, [delta.toolCallId]: output } };
}

/** A message that an agent has finished. */
export type SettledMessage = { readonly kind: string; readonly text?: string; readonly toolCallId?: string };

/** Removes what a finished message holds in full. What follows it may be live already, before the log has told of its end. */
export function settleLive(live: LiveText, message: SettledMessage): LiveText {
  if (message.kind === 'text') return { ...live, text: after(message.text, live.text) };
  if (message.kind === 'thinking') return { ...live, thinking: after(message.text, live.thinking) };
  if (message.kind !== 'tool_result' || message.toolCallId === undefined) return live;
  const { [message.toolCallId]: _, ...toolOutput } = live.toolOutput;
  return { ...live, toolOutput };
}

function after(finished: string | undefined, live: string): string {
  return finished !== undefined && live.startsWith(finished) ? live.slice(finished.length) : '';
}

type TextDelta =
  | { readonly kind: 'reset' }
  | { readonly kind: 'text_delta'; readonly text: string }
  | { readonly kind: 'thinking_delta'; readonly text: string }
  | { readonly kind: 'tool_output_delta'; readonly toolCallId: string; readonly text: string };

function isTextDelta(delta: { readonly kind: string }): delta is TextDelta {
  const text = 'text' in delta && typeof delta.text === 'string';
  if (delta.kind === 'reset') return true;
  if (delta.kind === 'text_delta' || delta.kind === 'thinking_delta') return text;
  return delta.kind === 'tool_output_delta' && text && 'toolCallId' in delta && typeof delta.toolCallId === 'string';
}
