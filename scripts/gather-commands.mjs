// `node_modules/.bin/node scripts/gather-commands.mjs FOLDER…` makes packages/policy/src/fixtures/found-commands.json anew from what lies in
// node_modules and in further folders (unpacked tarballs of packages, say): commands as people write them, with names of a small project in
// place of their authors' files. What the list holds already counts as found. `allowed`: 2,000 that run unasked, of as many programs as
// there are and at most sixty of each. `reads`: those that did nothing but
// read when they were run under a tracer, whatever we think of them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { traceCommands } from '@attractor/confine/testing';
import { adaptCommand, fillProject, isCandidate, onlyReads, policyOf } from '@attractor/policy/testing';
import { diskOf, readShell } from '@attractor/shell';
import { boxOf } from '@attractor/shell/testing';
import { commandLines } from './lib/command-lines.mjs';

const MOST = 2_000;
const VARIANTS = 6;
const AT_ONCE = 40;
/** Of one program. */
const MOST_OF_ONE = 60;
const TO = 'packages/policy/src/fixtures/found-commands.json';

const scratch = mkdtempSync(join(tmpdir(), 'gather-'));
const root = join(scratch, 'project');
mkdirSync(root);
fillProject(root);
const disk = diskOf('/usr/bin:/bin', [root]);
const policy = policyOf({}, { root, variables: { PATH: '/usr/bin:/bin', HOME: '/home/me', LANG: 'C.UTF-8' } });
const before = JSON.parse(readFileSync(TO, 'utf8'));
const found = [
  ...new Set(['node_modules', ...process.argv.slice(2)].flatMap((folder) => commandLines(folder))),
].toSorted();
const allowed = evenly(await unasked([...new Set([...before.allowed, ...variants(found)])]), MOST);
const candidates = [...new Set([...before.reads, ...variants(found, 1)])].filter(isCandidate);
const reads = readsAmong(evenly(candidates, MOST));
process.stderr.write(
  `${found.length} lines, ${allowed.length} allowed; ${reads.length} only read, ${(await unasked(reads)).length} of them unasked\n`,
);
const lines = (list) => list.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
writeFileSync(TO, `{\n  "allowed": [\n${lines(allowed)}\n  ],\n  "reads": [\n${lines(reads)}\n  ]\n}\n`);
rmSync(scratch, { recursive: true });

/** As they were found, and with names of the project in several ways. */
function variants(commands, count = VARIANTS) {
  const turns = Array.from({ length: count }, (_, turn) => turn);
  return [...new Set(commands.flatMap((command) => [command, ...turns.map((turn) => adaptCommand(command, turn))]))];
}

async function unasked(commands) {
  const allowed = [];
  for (const command of commands.filter(mayRead))
    if ((await policy.judge({ toolName: 'shell', args: { command } })).decision === 'allow') allowed.push(command);
  return allowed;
}

/** A quick look, since few of them do. */
function mayRead(command) {
  const { parts } = readShell(command, { cwd: root, root, home: '/home/me', disk });
  return parts.length > 0 && parts.every(({ effect, via }) => effect === 'read' || via !== undefined);
}

function readsAmong(commands) {
  const box = { ...boxOf({ project: root, place: root, scratch: join(scratch, 'logs') }), timeoutMs: 60_000 };
  const look = (some) => {
    const traced = traceCommands(some, box);
    const late = traced.findIndex(({ status }) => status === null);
    const ended = late === -1 ? some.length : late;
    const read = some.slice(0, ended).filter((command, at) => onlyReads(command, traced[at]));
    // One that does not end is left out, and the others get another turn.
    return ended === some.length ? read : [...read, ...(ended + 1 < some.length ? look(some.slice(ended + 1)) : [])];
  };
  const parts = Array.from({ length: Math.ceil(commands.length / AT_ONCE) }, (_, at) => at * AT_ONCE);
  return parts.flatMap((from) => look(commands.slice(from, from + AT_ONCE)));
}

/** Of each program in turn, until there are enough: of its commands first those that are least like the ones before. */
function evenly(commands, most) {
  const byProgram = [...Map.groupBy(commands, programOf).values()].map((list) =>
    distinctFirst(list).slice(0, MOST_OF_ONE),
  );
  const taken = [];
  for (let at = 0; taken.length < most && byProgram.some((list) => at < list.length); at += 1)
    for (const list of byProgram) if (at < list.length && taken.length < most) taken.push(list[at]);
  return taken.toSorted();
}

/** What a line is about: its first program that does more than move or set something up. */
function programOf(command) {
  const [name = ''] = command
    .replace(/^(?:(?:cd|pushd|set)\s[^;&|]*(?:&&|;)\s*|\w+=\S*\s+|[^\w[]+|(?:time|command|builtin)\s+)+/, '')
    .split(/[\s;|&()]+/);
  return name;
}

/** One of each shape, then the second of each, and so on: the same words with other names of files are one shape. */
function distinctFirst(commands) {
  const seen = new Map();
  const ranked = commands.map((command) => {
    const shape = command.replaceAll(/'[^']*'|"[^"]*"|[\w@%+-]*[./][\w./@%+-]*|\d+/g, '_');
    const rank = seen.get(shape) ?? 0;
    seen.set(shape, rank + 1);
    return { command, rank };
  });
  return ranked.toSorted((left, right) => left.rank - right.rank).map(({ command }) => command);
}
