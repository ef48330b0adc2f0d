import { type ContentPart, NO_USAGE, type Usage } from '@attractor/llm';
import type { Fields, ForeignConversation, ForeignStep } from './conversation.ts';

/** A message of any agent in common terms: what was said, called and answered in it, in this order. */
export type NeutralMessage = {
  readonly role: 'user' | 'assistant';
  readonly at: string;
  readonly text: string;
  readonly calls?: ReadonlyArray<{ readonly id: string; readonly name: string; readonly args: Fields }>;
  readonly results?: ReadonlyArray<{ readonly id: string; readonly output: string; readonly isError: boolean }>;
  readonly model?: string;
  readonly usage?: Usage;
};

export function conversationOf(
  said: ReadonlyArray<NeutralMessage>,
  about: { readonly cwd: string; readonly provider: string },
): ForeignConversation {
  const model = said.findLast((one) => one.role === 'assistant' && (one.model ?? '') !== '')?.model ?? null;
  return { ...about, model, steps: said.flatMap(stepsOf), left: [] };
}

function stepsOf({
  role,
  at,
  text,
  calls = [],
  results = [],
  model = '',
  usage = NO_USAGE,
}: NeutralMessage): ReadonlyArray<ForeignStep> {
  const answered = results.map(({ id, output, isError }): ForeignStep => ({
    kind: 'result',
    at,
    toolCallId: id,
    output,
    isError,
    images: [],
  }));
  if (role === 'user') return [...answered, ...(text === '' ? [] : [{ kind: 'user' as const, at, text, images: [] }])];
  const parts: ReadonlyArray<ContentPart> = [
    ...(text === '' ? [] : [{ kind: 'TEXT' as const, text }]),
    ...calls.map(({ id, name, args }) => ({ kind: 'TOOL_CALL' as const, toolCallId: id, toolName: name, args })),
  ];
  return [
    ...(parts.length === 0 ? [] : [{ kind: 'assistant' as const, at, parts, usage, model, responseId: '' }]),
    ...answered,
  ];
}

export function usageOf(inputTokens: number, outputTokens: number, cacheReadTokens: number): Usage {
  if (inputTokens + outputTokens === 0) return NO_USAGE;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cacheReadTokens };
}

/** The texts among parts of any form, in order. */
export function textIn(parts: ReadonlyArray<Fields>): string {
  return parts
    .flatMap((part) => (part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}
