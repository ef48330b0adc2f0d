import { assistantMessage, systemMessage, toolMessage, userMessage, type Message } from '@attractor/llm';
import type { Turn } from '../types/index.ts';
import { alongTurns } from './along-turns.ts';
import type { SessionView } from './view.ts';

/** The whole conversation as the model is sent it. Only ever grows at its end. */
export function messagesOf({ systemPrompt, turns }: SessionView): ReadonlyArray<Message> {
  return [...(systemPrompt === null ? [] : [promptOf(systemPrompt, turns)]), ...messagesOfTurns(turns, undefined)];
}

/** By a conversation's first turn: its prompt, made once as long as it stays the same. */
const prompts = new WeakMap<Turn, { readonly text: string; readonly message: Message }>();

function promptOf(text: string, [first]: ReadonlyArray<Turn>): Message {
  const before = first === undefined ? undefined : prompts.get(first);
  if (before?.text === text) return before.message;
  const message = systemMessage(text);
  if (first !== undefined) prompts.set(first, { text, message });
  return message;
}

/** Turns never change, so neither do their messages: each is made once. */
const messagesOfTurns = alongTurns<Message[], undefined>({
  start: () => [],
  step: (messages, turn) => void messages.push(...lower(turn)),
});

function lower(turn: Turn): ReadonlyArray<Message> {
  switch (turn.kind) {
    case 'assistant':
      return [assistantMessage(turn.content)];
    case 'tool_results':
      return turn.results.map((result) => toolMessage(result));
    case 'user':
      return [userMessage(turn.parts ?? turn.content)];
    default:
      return [userMessage(turn.content)];
  }
}
