import { OTHER_OPERATIONS, type PathCase, pathCases } from '@attractor/confine/testing';

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

/** The cases of file tools; `unknown` are kinds that this file does not know. Races and commands are tested with the environment itself. */
export function fileToolCases(): { readonly cases: ReadonlyArray<PathCase>; readonly unknown: ReadonlyArray<string> } {
  const all = pathCases('paths');
  return {
    cases: all.filter((one) => CALLS[one.op] !== undefined && one.during === undefined && one.cwd === undefined),
    unknown: all.map(({ op }) => op).filter((op) => CALLS[op] === undefined && OTHER_OPERATIONS[op] === undefined),
  };
}

export function callsOf(op: string, asked: string, source: string): ReadonlyArray<PathCall> {
  return CALLS[op]?.(asked, source) ?? [];
}
