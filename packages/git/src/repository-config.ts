import { configText } from './config-text.ts';
import { type GitStart, failed, type GitOptions, type GitResult, startGit } from './start-git.ts';

/** `scope` as git names it: local, worktree, command. */
export type ConfigEntry = { readonly scope: string; readonly key: string; readonly value: string };

const known = new Map<string, ReadonlyArray<ConfigEntry>>();
const MOST_KNOWN = 100;
const MAX_OUTPUT_BYTES = 16 << 20;

/**
 * What git reads as configuration in a folder. It depends on nothing but the text of the repository's files, so git is asked once for each
 * text and not before every command.
 */
export async function repositoryConfig(
  place: GitStart,
): Promise<{ readonly entries: ReadonlyArray<ConfigEntry> } | GitResult> {
  const before = knownConfig(place);
  if (before !== null) return { entries: before };
  const read = (): string | null => textOf(place);
  const text = read();
  const listed = await startGit(['config', '--list', '--show-scope', '-z'], {
    ...place,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (listed.exitCode !== 0) return listed;
  if (listed.truncated) return failed('not_started', `The configuration of ${place.cwd} is too long to look through`);
  const entries = readEntries(listed.stdout);
  // Git leaves out a repository that belongs to somebody else, and the text may have changed meanwhile.
  const isOfText = entries.some(({ scope }) => scope === 'local') && read() === text;
  if (known.size >= MOST_KNOWN) known.clear();
  if (text !== null && isOfText) known.set(text, entries);
  return { entries };
}

/** What git told of the same text before; null: git has to be asked. */
export function knownConfig(place: GitOptions): ReadonlyArray<ConfigEntry> | null {
  const text = textOf(place);
  return (text === null ? undefined : known.get(text)) ?? null;
}

function textOf(place: GitOptions): string | null {
  return isPlain(place) ? configText(place.cwd, place.variables?.['GIT_DIR']) : null;
}

/** These do not change what is configured, apart from the repository that is named. */
const HARMLESS = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'LC_ALL']);

/** No more is configured than always. */
function isPlain({ config, variables = {} }: GitOptions): boolean {
  return config === undefined && Object.keys(variables).every((name) => HARMLESS.has(name));
}

/** `scope NUL key LF value NUL`, without the LF where there is no value. */
function readEntries(listed: string): ReadonlyArray<ConfigEntry> {
  const fields = listed.split('\0');
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, at) => {
    const [scope = '', entry = ''] = fields.slice(at * 2, at * 2 + 2);
    const [key = '', ...value] = entry.split('\n');
    return { scope, key, value: value.join('\n') };
  });
}
