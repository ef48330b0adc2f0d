import { ownNameOf } from '@attractor/tool-table';

export type Args = Readonly<Record<string, unknown>>;

/** What came of a call, in a few words. */
export function resultWords(toolName: string, output: string, isError: boolean): string {
  const own = ownNameOf(toolName);
  if (own === 'exit_plan_mode' && output.startsWith('The person')) return isError ? 'not approved' : 'approved';
  if (isError)
    return (
      output
        .split('\n')
        .find((line) => line.trim() !== '')
        ?.trim() ?? 'failed'
    );
  if (own === 'shell') return commandWords(output);
  return COUNTED.has(own) ? countedLines(output) : output.trim() === '' ? 'no output' : '';
}

/** Whether the command of a call ended with another code than 0: it did run, so its call is no error. */
export function hasFailed(toolName: string, output: string): boolean {
  return ownNameOf(toolName) === 'shell' && !['0', undefined].includes(EXIT.exec(output)?.[2]);
}

/** The line with which the output of a command ends, for the model. */
const EXIT = /^\[(ended by \w+, )?exit code (-?\d+), \d+ ms\]$/m;

function commandWords(output: string): string {
  const [found = '', signal = '', code = '0'] = EXIT.exec(output) ?? [];
  const said = output.replace(found, '').trim();
  const words = said === '' ? 'no output' : said.includes('\n') ? countedLines(said) : said;
  return code === '0' ? words : `${signal.replace(', ', '') || `exit ${code}`} · ${words}`;
}

function countedLines(text: string): string {
  if (text.trim() === '') return 'no output';
  const count = text.replace(/\n+$/, '').split('\n').length;
  return count === 1 ? '1 line' : `${count} lines`;
}

const COUNTED: ReadonlySet<string> = new Set(['read_file', 'grep', 'glob', 'list_dir', 'web_fetch', 'read_many_files']);
