import { assistantMessage, systemMessage, toolMessage, userMessage, type Message } from '@attractor/llm';
import type { Compaction } from '../conversation/compacted.ts';
import type { Turn } from '../types/index.ts';
import { foldTurns } from './fold-turns.ts';
import type { SessionView } from '../conversation/view.ts';

/**
 * The conversation as the model is sent it: whole or, once compacted, the prefix and the turns since. Between two compactions it only grows
 * at its end.
 */
export function messagesOf({ systemPrompt, turns, compaction }: SessionView): ReadonlyArray<Message> {
  const prompt = systemPrompt === null ? [] : [promptOf(systemPrompt, turns)];
  if (compaction === null) return [...prompt, ...messagesOfTurns(turns, undefined)];
  return [...prompt, prefixMessage(compaction), ...messagesOfTurns(keptTurns(turns, compaction.keptFrom), undefined)];
}

/** In a damaged journal the first kept result may have lost its call. */
function keptTurns(turns: ReadonlyArray<Turn>, keptFrom: number): ReadonlyArray<Turn> {
  let from = keptFrom;
  while (turns[from]?.kind === 'tool_results') from++;
  return turns.slice(from);
}

/** Built once for each compaction. */
const prefixes = new WeakMap<Compaction, Message>();

function prefixMessage(compaction: Compaction): Message {
  const message = prefixes.get(compaction) ?? userMessage(compaction.prefix);
  prefixes.set(compaction, message);
  return message;
}

/** By a conversation's first turn: its system message, built once while the text stays the same. */
const prompts = new WeakMap<Turn, { readonly text: string; readonly message: Message }>();

function promptOf(text: string, [first]: ReadonlyArray<Turn>): Message {
  const before = first === undefined ? undefined : prompts.get(first);
  if (before?.text === text) return before.message;
  const message = systemMessage(text);
  if (first !== undefined) prompts.set(first, { text, message });
  return message;
}

/** Turns never change, so neither do their messages: each is built once. */
const messagesOfTurns = foldTurns<Message[], undefined>({
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
