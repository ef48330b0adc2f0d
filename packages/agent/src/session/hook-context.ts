import type { HookEventName } from '@attractor/settings';

/** Context that hooks add for the model, marked as theirs. Their text can't close the mark. */
export function contextOf(event: HookEventName, context: ReadonlyArray<string>): string {
  const text = context.join('\n').replaceAll(/<(\/?)(hook-context)/gi, '<$1\u200b$2');
  return `<hook-context event="${event}">\n${text}\n</hook-context>`;
}
