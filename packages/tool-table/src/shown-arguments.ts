import type { Args } from './touch.ts';

/** With every other argument, since each may change what the command does. */
export function shownCommand(args: Args): string | undefined {
  const { command: text, description: _said, ...rest } = args;
  if (typeof text !== 'string') return undefined;
  return Object.keys(rest).length === 0 ? text : `${text}\n${JSON.stringify(rest)}`;
}

export function shownEdit(args: Args): string | undefined {
  return change(args, args['old_string'], args['new_string']);
}

export function shownWrite(args: Args): string | undefined {
  return change(args, '', args['content']);
}

export function shownPatch({ patch }: Args): string | undefined {
  return typeof patch === 'string' ? patch : undefined;
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
