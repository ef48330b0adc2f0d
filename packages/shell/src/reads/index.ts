import { ARCHIVES } from './archives.ts';
import { judgeRead, type Call, type ReadVerdict } from './arguments.ts';
import { awkReads } from './awk.ts';
import { commandReads, exprReads, testReads } from './conditions.ts';
import { FILE_READERS } from './files.ts';
import { findReads } from './find.ts';
import { gitReads } from './git.ts';
import { jqReads, yqReads } from './jq.ts';
import { SEARCHERS } from './search.ts';
import { findRuns, xargsRuns } from './run-on-files.ts';
import { readReads, setReads } from './shell-builtins.ts';
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
  if (special !== undefined) return special(call);
  return reader === undefined ? { refused: `${call.name} is not known to only read` } : judgeRead(reader, call);
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
