import { shortHash } from '../answer/signature.ts';
import type { ModelRequest } from '../protocol.ts';
import type { Conversation, Match, Script, Turn } from '../script/types.ts';
import { matches } from './patterns.ts';

/**
 * The position of a request. It depends on the request alone: after a client was killed, or the simulator restarted, it continues at the
 * right turn. `key` separates parallel conversations.
 */
export interface Place {
  conversation: Conversation;
  key: string;
  position: number;
  turn: Turn | undefined;
}

/** The header in which a client may name its conversation, if prompts alone do not distinguish two of them. */
export const CONVERSATION_HEADER = 'x-attractor-conversation';

export function placeOf(script: Script, request: ModelRequest): Place | undefined {
  const index = script.conversations.findIndex((conversation) => belongs(conversation, request));
  const conversation = script.conversations[index];
  if (conversation === undefined) return undefined;
  const key = shortHash([index, request.identity, request.system, request.firstUser].join('\0'), 16);
  const position = request.assistantTurns;
  return { conversation, key, position, turn: turnAt(conversation, position) };
}

function belongs(conversation: Conversation, request: ModelRequest): boolean {
  if (conversation.key !== undefined && conversation.key !== request.identity) return false;
  return conversation.match === undefined || fits(conversation.match, request);
}

function fits(match: Match, request: ModelRequest): boolean {
  if (match.protocol !== undefined && match.protocol !== request.protocol) return false;
  if (match.tool !== undefined && !request.tools.some((tool) => tool.name === match.tool)) return false;
  const headers = Object.entries(match.headers ?? {});
  return (
    matches(match.system, request.system) &&
    matches(match.firstUser, request.firstUser) &&
    matches(match.lastUser, request.lastUser) &&
    matches(match.model, request.model) &&
    headers.every(([name, pattern]) => matches(pattern, request.headers[name.toLowerCase()] ?? ''))
  );
}

function turnAt(conversation: Conversation, position: number): Turn | undefined {
  let end = 0;
  for (const turn of conversation.turns) {
    if (turn.repeat === 'forever') return turn;
    end += turn.repeat ?? 1;
    if (position < end) return turn;
  }
  return conversation.otherwise;
}
