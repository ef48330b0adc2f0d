import { isCode } from './destructive/secrets.ts';
import { worsen, type Draft } from './draft.ts';
import { absolutePath } from './redirections.ts';
import type { Walk } from './walk-state.ts';
import { literal, type ExpandedWord } from './words.ts';

/** A file that was fetched and is then run is a download that runs, as through a pipe. `runs`: its words without wrappers. */
export function judgeFetched(draft: Draft, runs: ReadonlyArray<ExpandedWord>, { seen }: Walk): void {
  if (seen.fetched.size > 0 && programsOf(runs).some((word) => isFetched(word, draft.cwds, seen.fetched)))
    worsen(draft, 'destructive', 'runs what it fetched from the network');
  if (!draft.facts.fetches) return;
  rememberWritten([draft], seen.fetched);
  for (const path of namedByAddress(draft)) seen.fetched.add(path);
}

/** What a pipeline fetches may be written by any of its members. */
export function rememberWritten(drafts: ReadonlyArray<Draft>, fetched: Set<string>): void {
  for (const { targets } of drafts)
    for (const { path, access } of targets)
      if (access === 'write' && path !== null && fetched.size < MOST) fetched.add(path);
}

const MOST = 20;

/** The words that name what runs: itself, and the script that an interpreter is given. */
function programsOf([name, ...words]: ReadonlyArray<ExpandedWord>): ReadonlyArray<ExpandedWord> {
  if (name === undefined) return [];
  const base = name.text.slice(name.text.lastIndexOf('/') + 1);
  const script = words.find(({ text }) => !text.startsWith('-'));
  const reads = isCode(base) || base === 'source' || base === '.';
  return reads && script !== undefined ? [name, script] : [name];
}

function isFetched(word: ExpandedWord, cwds: Draft['cwds'], fetched: ReadonlySet<string>): boolean {
  const path = absolutePath(word, cwds);
  return path !== null && fetched.has(path);
}

/** `wget https://x.test/i.sh` and `curl -O` keep the name at the end of the address. */
function namedByAddress({ words, cwds }: Draft): ReadonlyArray<string> {
  return words.slice(1).flatMap(({ text }) => {
    const name = /^(?:\w+:\/\/)?[\w.-]+\/(?:[^?#]*\/)?([\w.-]+)(?:[?#].*)?$/.exec(text)?.[1];
    const path = name === undefined ? null : absolutePath(literal(name), cwds);
    return path === null ? [] : [path];
  });
}
