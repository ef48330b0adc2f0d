import type { Message } from '../types/message.ts';
import { mendHistory, type ValidHistory } from './mend-history.ts';
import type { HistoryRules } from './rules.ts';
import { soundHistory } from './sound-history.ts';

/**
 * Turns any list of messages into one that the rules' protocol accepts. Pure, and turns added to a sound conversation change no byte before
 * them. Keeps every non-blank text and every tool output; drops only what the provider would refuse.
 */
export function validHistory(messages: ReadonlyArray<Message>, rules: HistoryRules): ValidHistory {
  const sound = soundHistory(messages, rules);
  return sound === null ? mendHistory(messages, rules) : { messages: sound, warnings: [] };
}
