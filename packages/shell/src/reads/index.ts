import { ARCHIVES } from './archives.ts';
import type { ExpandedWord } from '../words.ts';
import { judgeRead, type Call, type Reader, type ReadVerdict } from './arguments.ts';
import { awkReads } from './awk.ts';
import { commandReads, exprReads, testReads } from './conditions.ts';
import { FILE_READERS } from './files.ts';
import { findReads } from './find.ts';
import { isSubstituted } from './found-files.ts';
import { gitReads } from './git.ts';
import { jqReads, yqReads } from './jq.ts';
import { SEARCHERS } from './search.ts';
import { findRuns, xargsRuns } from './run-on-files.ts';
import { readReads, setReads, teeReads } from './shell-builtins.ts';
import { psReads } from './processes.ts';
import { asksVersion } from './versions.ts';
import { sedReads } from './sed.ts';
import { SYSTEM_READERS } from './system.ts';

/** Whether a command only reads, and inside the workspace; otherwise why that is unknown. */
export function judgeReading(call: Call): ReadVerdict {
  const told = call.words.length === 1 ? asksVersion(call) : null;
  if (told !== null) return told;
  const reader = TABLES.get(call.name);
  const special = reader !== undefined && isVersionQuery(call) ? undefined : SPECIAL.get(call.name);
  // What these make of a list of names in the midst of their words is not known.
  if (special !== undefined) return special({ ...call, words: call.words.map(withoutNames) });
  return reader === undefined ? { refused: `${call.name} is not known to only read` } : readsListed(reader, call);
}

function withoutNames(word: ExpandedWord): ExpandedWord {
  if (!isSubstituted(word)) return word;
  const { found: _names, ...rest } = word;
  return rest;
}

/** `cat $(git ls-files)`: whoever allows it asks git for the files. */
function readsListed(reader: Reader, call: Call): ReadVerdict {
  const verdict = judgeRead(reader, call);
  const found = call.words.flatMap((word) =>
    isSubstituted(word) && word.found?.byGit !== undefined ? word.found : [],
  );
  const [folder] = found[0]?.folders ?? [];
  const splits = found[0]?.splits ?? null;
  if ('refused' in verdict || folder === undefined || splits === null) return verdict;
  if (!call.pathContext.asksGit) return { refused: 'which files git lists is only known when it runs' };
  return { ...verdict, lists: { folder, lists: found.flatMap(({ byGit = [] }) => byGit), splits } };
}

const SPECIAL: ReadonlyMap<string, (call: Call) => ReadVerdict> = new Map<string, (call: Call) => ReadVerdict>(
  Object.entries({
    ...ARCHIVES,
    awk: awkReads,
    gawk: awkReads,
    mawk: awkReads,
    nawk: awkReads,
    command: commandReads,
    expr: exprReads,
    find: (call) => findRuns(call, findReads, judgeReading),
    xargs: (call) => xargsRuns(call, judgeReading),
    git: gitReads,
    jq: jqReads,
    ps: psReads,
    read: readReads,
    sed: sedReads,
    set: setReads,
    tee: teeReads,
    test: testReads,
    yq: yqReads,
    '[': testReads,
  }),
);

const TABLES: ReadonlyMap<string, (typeof SYSTEM_READERS)[string]> = new Map(
  Object.entries({
    ...FILE_READERS,
    ...SEARCHERS,
    ...SYSTEM_READERS,
  }),
);

function isVersionQuery(call: Call): boolean {
  return call.words.length === 1 && call.words[0]?.text === '--version';
}
