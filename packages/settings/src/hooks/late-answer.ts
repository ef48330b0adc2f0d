import type { ParsedHookAnswer } from './answer.ts';
import type { HookHandler } from './definition.ts';

/** What a handler says that nobody waited for. Nothing is left to block: an objection is told, if the handler asks for that. */
export function lateAnswer(word: ParsedHookAnswer, handler: HookHandler): ParsedHookAnswer {
  if (handler.kind !== 'command' || handler.rewakes !== true || word.block === undefined) return { ...word };
  return { ...word, context: [word.block, ...(word.context === undefined ? [] : [word.context])].join('\n') };
}
