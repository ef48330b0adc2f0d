import type { LiveDelta, PlatformEvent } from '@attractor/platform';
import type { TranscriptDelta } from '../messages.ts';
import { carriedMessage } from './carried.ts';

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
  if (!isTranscriptDelta(delta)) return live;
  if (delta.kind === 'reset') return NO_LIVE_TEXT;
  if (delta.kind === 'text_delta') return { ...live, text: live.text + delta.text };
  if (delta.kind === 'thinking_delta') return { ...live, thinking: live.thinking + delta.text };
  const output = ((live.toolOutput[delta.toolCallId] ?? '') + delta.text).slice(-TOOL_OUTPUT_KEPT);
  return { ...live, toolOutput: { ...live.toolOutput, [delta.toolCallId]: output } };
}

/** Removes what an event has just reported in full. */
export function settleLiveText(live: LiveText, event: PlatformEvent): LiveText {
  const message = carriedMessage(event);
  if (message === null) return live;
  if (message.kind === 'text') return { ...live, text: '' };
  if (message.kind === 'thinking') return { ...live, thinking: '' };
  if (message.kind !== 'tool_result') return live;
  const { [message.toolCallId]: _, ...toolOutput } = live.toolOutput;
  return { ...live, toolOutput };
}

function isTranscriptDelta(delta: { readonly kind: string }): delta is TranscriptDelta {
  const text = 'text' in delta && typeof delta.text === 'string';
  if (delta.kind === 'reset') return true;
  if (delta.kind === 'text_delta' || delta.kind === 'thinking_delta') return text;
  return delta.kind === 'tool_output_delta' && text && 'toolCallId' in delta && typeof delta.toolCallId === 'string';
}
