import { isCode } from './destructive/secrets.ts';
import { worsen, type Draft } from './draft.ts';
import { absolutePath } from './redirections.ts';
import type { Walk } from './walk-state.ts';
import { literal, type ExpandedWord } from './words.ts';

/** A file that was fetched and is then run counts like a download piped into a shell. `runs`: its words without wrappers. */
export function judgeFetched(draft: Draft, runs: ReadonlyArray<ExpandedWord>, { seen, pathContext }: Walk): void {
  if (seen.fetched.size > 0 && programsOf(runs).some((word) => isFetched(word, draft.cwds, { seen, pathContext })))
    worsen(draft, 'destructive', 'runs what it fetched from the network');
  if (!draft.facts.fetches) return;
  rememberWritten([draft], seen.fetched);
  for (const path of namedByAddress(draft, pathContext)) seen.fetched.add(path);
}

/** Any member of a pipeline may write what it fetches. */
export function rememberWritten(drafts: ReadonlyArray<Draft>, fetched: Set<string>): void {
  for (const { targets } of drafts)
    for (const { path, access } of targets)
      if (access === 'write' && path !== null && fetched.size < MOST) fetched.add(path);
}

const MOST = 20;

/** The words that name what runs: the program itself, and an interpreter's script. */
function programsOf([name, ...words]: ReadonlyArray<ExpandedWord>): ReadonlyArray<ExpandedWord> {
  if (name === undefined) return [];
  const base = name.text.slice(name.text.lastIndexOf('/') + 1);
  const script = words.find(({ text }) => !text.startsWith('-'));
  const reads = isCode(base) || base === 'source' || base === '.';
  return reads && script !== undefined ? [name, script] : [name];
}

type Fetching = Pick<Walk, 'seen' | 'pathContext'>;

function isFetched(word: ExpandedWord, cwds: Draft['cwds'], { seen, pathContext }: Fetching): boolean {
  const path = absolutePath(word, cwds, pathContext);
  return path !== null && seen.fetched.has(path);
}

/** `wget https://x.test/i.sh` and `curl -O` use the last part of the address as the file name. */
function namedByAddress({ words, cwds }: Draft, pathContext: Walk['pathContext']): ReadonlyArray<string> {
  return words.slice(1).flatMap(({ text }) => {
    const name = /^(?:\w+:\/\/)?[\w.-]+\/(?:[^?#]*\/)?([\w.-]+)(?:[?#].*)?$/.exec(text)?.[1];
    const path = name === undefined ? null : absolutePath(literal(name), cwds, pathContext);
    return path === null ? [] : [path];
  });
}
