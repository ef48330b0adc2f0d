import { lineDifference } from '@attractor/patch';
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

/** `before`: what is in the file now. Absent: it is new, or what is in it can't be shown. */
export function shownWrite(args: Args, before = ''): string | undefined {
  const { content } = args;
  if (before === '' || typeof content !== 'string') return change(args, '', content);
  const head = headOf(args);
  if (head === undefined) return undefined;
  const lines = before === content ? ['(as it is)'] : lineDifference(before.split('\n'), content.split('\n'));
  return [head, ...lines].join('\n');
}

export function shownPatch({ patch }: Args): string | undefined {
  return typeof patch === 'string' ? patch : undefined;
}

function change(args: Args, before: unknown, after: unknown): string | undefined {
  const head = headOf(args);
  if (head === undefined || typeof before !== 'string' || typeof after !== 'string') return undefined;
  return [head, ...marked('-', before), ...marked('+', after)].join('\n');
}

/** The file, and whatever else the call says. */
function headOf(args: Args): string | undefined {
  const { file_path: file, old_string: _old, new_string: _new, content: _content, ...rest } = args;
  if (typeof file !== 'string') return undefined;
  return Object.keys(rest).length === 0 ? file : `${file} ${JSON.stringify(rest)}`;
}

function marked(mark: '-' | '+', text: string): ReadonlyArray<string> {
  return text === '' ? [] : text.split('\n').map((line) => `${mark}${line}`);
}
