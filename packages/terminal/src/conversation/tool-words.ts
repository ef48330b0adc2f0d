import { ownNameOf, rowOf } from '@attractor/tool-table';

export type Args = Readonly<Record<string, unknown>>;

/** The change that a call asks for, as lines with `-` and `+`; null: it changes no text that it shows. */
export function changeOf(toolName: string, args: Args): string | null {
  const shown = rowOf(toolName)?.shown?.(args);
  const { file_path: file, patch } = args;
  if (shown === undefined || (typeof file !== 'string' && typeof patch !== 'string')) return null;
  return shown;
}

/** What came of a call, in a few words. */
export function resultWords(toolName: string, output: string, isError: boolean): string {
  const lines = output.replace(/\n+$/, '').split('\n');
  if (isError) return lines.find((line) => line.trim() !== '')?.trim() ?? 'failed';
  if (output.trim() === '') return 'no output';
  const own = ownNameOf(toolName);
  if (own === 'shell' && lines.length === 1) return lines[0]?.trim() ?? '';
  return COUNTED.has(own) ? `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}` : '';
}

const COUNTED: ReadonlySet<string> = new Set([
  'read_file',
  'shell',
  'grep',
  'glob',
  'list_dir',
  'web_fetch',
  'read_many_files',
]);
