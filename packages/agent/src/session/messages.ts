import { assistantMessage, systemMessage, toolMessage, userMessage, type Message } from '@attractor/llm';
import type { Turn } from '../types/index.ts';
import type { SessionView } from './view.ts';

/** Turns never change, so neither do their messages: each is made once. */
const made = new WeakMap<Turn, ReadonlyArray<Message>>();

/** The whole conversation as the model is sent it. Only ever grows at its end. */
export function messagesOf(view: SessionView): ReadonlyArray<Message> {
  const system = view.systemPrompt === null ? [] : [systemMessage(view.systemPrompt)];
  return [...system, ...view.turns.flatMap(messagesOfTurn)];
}

function messagesOfTurn(turn: Turn): ReadonlyArray<Message> {
  const known = made.get(turn);
  if (known !== undefined) return known;
  const messages = lower(turn);
  made.set(turn, messages);
  return messages;
}

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
