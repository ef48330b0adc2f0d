import type { HookEventName } from '@attractor/settings';

/** What hooks add for the model, marked as theirs. What they say can't end the mark. */
export function contextOf(event: HookEventName, context: ReadonlyArray<string>): string {
  const text = context.join('\n').replaceAll(/<(\/?)(hook-context)/gi, '<$1\u200b$2');
  return `<hook-context event="${event}">\n${text}\n</hook-context>`;
}
