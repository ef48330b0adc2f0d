import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Step = Readonly<
  Partial<Record<'dir' | 'file' | 'text' | 'link' | 'to' | 'hard' | 'fifo' | 'chmod' | 'mode', string>>
>;

/** A case of the containment list, which the agent's own tools must pass too. */
export type PathCase = {
  readonly id: string;
  readonly cls: string;
  readonly root: string;
  readonly setup: ReadonlyArray<Step>;
  readonly path: string;
  readonly op: string;
  readonly source?: string;
  readonly cwd?: string;
  readonly allowed: boolean;
  readonly why: string;
  readonly acceptEither?: string;
  readonly during?: ReadonlyArray<unknown>;
};

export type PathCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

const read = (path: string): PathCall => ({ name: 'file.read', input: { path } });
const write = (path: string): PathCall => ({ name: 'file.write', input: { path, content: 'made\n' } });
const remove = (path: string): PathCall => ({ name: 'file.delete', input: { path } });
/** No tool moves a file: an agent that wants to reads it, writes it elsewhere and deletes it. */
const move = (path: string, source: string): ReadonlyArray<PathCall> => [read(source), write(path), remove(source)];

/** What the file tools are called with for each kind of operation. */
const CALLS: Readonly<Record<string, (path: string, source: string) => ReadonlyArray<PathCall>>> = {
  read: (path) => [read(path)],
  write: (path) => [write(path)],
  create: (path) => [write(path)],
  list: (path) => [{ name: 'file.list', input: { path } }],
  delete: (path) => [remove(path)],
  rename: move,
  'patch-add': (path) => [write(path)],
  'patch-move': move,
};

/** Kinds of the list that no file tool performs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'http-get': 'the server serves files',
  extract: 'no tool unpacks an archive',
  grant: 'trust decides about working directories',
  temp: 'temporary files lie beside their target under random names',
};

const LIST = new URL('../../../agent/src/containment/fixtures/paths.json', import.meta.url);

/** The cases of file tools; `unknown` are kinds that this file does not know. Races and commands are tested with the environment itself. */
export function pathCases(): { readonly cases: ReadonlyArray<PathCase>; readonly unknown: ReadonlyArray<string> } {
  const all: ReadonlyArray<PathCase> = JSON.parse(readFileSync(LIST, 'utf8'));
  return {
    cases: all.filter((one) => CALLS[one.op] !== undefined && one.during === undefined && one.cwd === undefined),
    unknown: all.map(({ op }) => op).filter((op) => CALLS[op] === undefined && ELSEWHERE[op] === undefined),
  };
}

export type PathWorld = {
  readonly root: string;
  readonly calls: ReadonlyArray<PathCall>;
  /** The files outside the root, which must not change. */
  readonly outside: () => Readonly<Record<string, string>>;
  readonly remove: () => void;
};

export function buildPathCase(one: PathCase): PathWorld {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'file-tools-')));
  const sub = (text: string): string => text.replaceAll('$T', top);
  for (const step of one.setup) make(step, sub);
  const root = sub(one.root);
  const calls = CALLS[one.op]?.(sub(one.path), sub(one.source ?? '')) ?? [];
  const inside = `${realpathSync(root)}/`;
  return {
    root,
    calls,
    outside: () => Object.fromEntries(Object.entries(snapshot(top)).filter(([name]) => !name.startsWith(inside))),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function make(step: Step, sub: (text: string) => string): void {
  const name = sub(step.dir ?? step.file ?? step.link ?? step.hard ?? step.fifo ?? step.chmod ?? '');
  mkdirSync(step.dir === undefined ? path.dirname(name) : name, { recursive: true });
  if (step.file !== undefined) writeFileSync(name, sub(step.text ?? ''));
  if (step.link !== undefined) symlinkSync(sub(step.to ?? ''), name);
  if (step.hard !== undefined) linkSync(sub(step.to ?? ''), name);
  if (step.fifo !== undefined) spawnSync('mkfifo', [name]);
  if (step.chmod !== undefined) chmodSync(name, Number.parseInt(step.mode ?? '', 8));
}

function snapshot(folder: string, found: Record<string, string> = {}): Record<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) snapshot(name, found);
    if (entry.isFile()) found[name] = readFileSync(name, 'latin1');
    if (entry.isSymbolicLink()) found[name] = `link:${readlinkSync(name)}`;
  }
  return found;
}
