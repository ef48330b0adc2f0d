import { rowOf } from '@attractor/tool-table';
import { isCommand } from './rule-names.ts';
import type { PolicyCall } from './types.ts';

/**
 * What a person is shown before a call runs: the exact command, the exact change, or the exact arguments. Nothing is left out and nothing
 * can hide: control characters and invisible characters are shown as `\u{…}`, and `readShown` restores what runs, byte for byte. With
 * `before`, what is in the file that a call replaces, the change is shown against that, without what stays.
 */
export function shownCall({ toolName, args, workingDir = '.' }: PolicyCall, before?: string): string {
  const where = isCommand(toolName) && workingDir !== '.' ? `cd ${JSON.stringify(workingDir)}\n` : '';
  return visible(where + (rowOf(toolName)?.shown?.(args, before) ?? `${toolName} ${JSON.stringify(args, null, 2)}`));
}

/**
 * Every control character except line ending and tab, characters that reorder or hide text, and unusual spaces; backslashes before `u{`
 * too.
 */
export function visible(text: string): string {
  return text.replace(
    /\\(?=u\{)|(?![\n\t ])[\p{C}\p{Z}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The text behind what was shown. */
export function readShown(shown: string): string {
  return shown.replace(/\\u\{([0-9a-f]+)\}/g, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
