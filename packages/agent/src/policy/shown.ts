import { houseNameOf } from '../profiles/names.ts';
import type { PolicyCall } from './types.ts';

/**
 * What a person is shown before a call runs: the exact command, the exact change, or the exact arguments. Nothing is left out and
 * nothing can hide: characters that a terminal or browser would obey or not draw stand there as `\u{…}`, and `readShown` gives back
 * what runs, byte for byte.
 */
export function shownCall({ toolName, args, workingDir = '.' }: PolicyCall): string {
  const house = houseNameOf(toolName);
  const show = Object.hasOwn(SHOWN, house) ? SHOWN[house] : undefined;
  const where = show === command && workingDir !== '.' ? `cd ${JSON.stringify(workingDir)}\n` : '';
  return visible(where + (show?.(args) ?? `${toolName} ${JSON.stringify(args, null, 2)}`));
}

/** Every control character but line end and tab, what turns or hides text, and spaces that are none; backslashes before `u{` too. */
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

type Args = Readonly<Record<string, unknown>>;

const SHOWN: Readonly<Record<string, (args: Args) => string | undefined>> = {
  shell: command,
  edit_file: (args) => change(args, args['old_string'], args['new_string']),
  write_file: (args) => change(args, '', args['content']),
  apply_patch: ({ patch }) => (typeof patch === 'string' ? patch : undefined),
};

/** With every other argument, since each may change what the command does. */
function command(args: Args): string | undefined {
  const { command: text, description: _said, ...rest } = args;
  if (typeof text !== 'string') return undefined;
  return Object.keys(rest).length === 0 ? text : `${text}\n${JSON.stringify(rest)}`;
}

function change(args: Args, before: unknown, after: unknown): string | undefined {
  const { file_path: file, old_string: _old, new_string: _new, content: _content, ...rest } = args;
  if (typeof file !== 'string' || typeof before !== 'string' || typeof after !== 'string') return undefined;
  const head = Object.keys(rest).length === 0 ? file : `${file} ${JSON.stringify(rest)}`;
  return [head, ...marked('-', before), ...marked('+', after)].join('\n');
}

function marked(mark: '-' | '+', text: string): ReadonlyArray<string> {
  return text === '' ? [] : text.split('\n').map((line) => `${mark}${line}`);
}
