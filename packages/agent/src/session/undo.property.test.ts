import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/index.ts';
import { runGit } from '@attractor/git';
import type { ExecutionEnvironment } from '../types/index.ts';
import type { RewindResult, RewindTarget, Undo } from '@attractor/undo';
import {
  contents,
  type Edit,
  edited,
  initRepository,
  isPossible,
  type ModelMoment,
  open,
  repositoryBytes,
  rewound,
  runs,
  type Tree,
  valueOf,
} from '@attractor/undo/testing';

/**
 * Real git is the cost, so histories run forty at a time in one workspace: each has a folder of its own and its own edits; they share
 * the moments at which a snapshot is taken or the files are rewound.
 */
const TOGETHER = 40;
const NAMES = ['a', 'b.txt', 'dir', 'dir/c', 'dir/deep/d', 'ü "q\n.txt', 'swap', 'swap/in'];

const name = fc.constantFrom(...NAMES);
const mode = fc.constantFrom(0o644, 0o644, 0o600, 0o755, 0o700, 0o640, 0o444);
const content = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', 'x\r\ny\r\n', 'one\ntwo\n', '\0\u0001', '\uFEFFbom'),
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write'), name, content, mode }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link'), name, to: fc.constantFrom('a', 'dir', '/nowhere') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('chmod'), name, mode }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder'), name }) },
);
const edits = fc.array(fc.array(edit, { maxLength: 3 }), { minLength: TOGETHER, maxLength: TOGETHER });
const round = fc.oneof(
  { weight: 4, arbitrary: fc.record({ by: fc.constantFrom('tool', 'shell'), edits }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('person'), edits }) },
  { weight: 3, arbitrary: fc.record({ by: fc.constant('rewind'), back: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('redo') }) },
);
type Round =
  | { readonly by: 'tool' | 'shell' | 'person'; readonly edits: ReadonlyArray<ReadonlyArray<Edit>> }
  | { readonly by: 'rewind'; readonly back: number }
  | { readonly by: 'redo' };

/** A person's file that an agent moved away, and in whose place the person has a folder by now: kept for two reasons, told once. */
const IN_ITS_OWN_WAY: Round[] = [
  { by: 'person', edits: inTheFirst({ kind: 'write', name: 'dir', content: '', mode: 0o644 }) },
  { by: 'tool', edits: inTheFirst({ kind: 'rename', name: 'dir', to: 'a' }) },
  { by: 'person', edits: inTheFirst({ kind: 'write', name: 'dir/deep/d', content: '', mode: 0o644 }) },
  { by: 'rewind', back: 2 },
];

function inTheFirst(one: Edit): ReadonlyArray<ReadonlyArray<Edit>> {
  return Array.from({ length: TOGETHER }, (_, history) => (history === 0 ? [one] : []));
}

const template = { folder: '' };

beforeAll(async () => {
  template.folder = mkdtempSync(path.join(tmpdir(), 'undo-template-'));
  const at = (file: string): string => path.join(template.folder, file);
  writeFileSync(at('.gitignore'), '*.ignored\n');
  for (let index = 0; index < TOGETHER; index += 1) {
    mkdirSync(at(`h${index}`));
    writeFileSync(at(`h${index}/a`), 'committed\n');
    writeFileSync(at(`h${index}/x.ignored`), 'never touched');
  }
  await initRepository(template.folder);
  writeFileSync(at('h0/a'), 'stashed\n');
  const stashed = await runGit(['stash'], { cwd: template.folder, author: { name: 'Ada', email: 'ada@example.test' } });
  expect(stashed).toMatchObject({ exitCode: 0 });
  writeFileSync(at('h0/a'), 'staged\n');
  await runGit(['add', 'h0/a'], { cwd: template.folder });
  writeFileSync(at('h0/a'), 'committed\n');
});

afterAll(() => rmSync(template.folder, { recursive: true, force: true }));

describe('undo', () => {
  it('rewinds byte for byte, keeps what a person did, redoes, and never touches the repository: 200 histories', async () => {
    const rounds: fc.Arbitrary<Round[]> = fc.array(round, { minLength: 4, maxLength: 8 });
    await fc.assert(fc.asyncProperty(rounds, live), { numRuns: runs(3) + 1, examples: [[IN_ITS_OWN_WAY]] });
  });
});

type Life = {
  readonly workspace: string;
  readonly undo: Undo;
  readonly environment: ExecutionEnvironment;
  trees: ReadonlyArray<Tree>;
  moments: ReadonlyArray<Omit<ModelMoment, 'tree'> & { readonly trees: ReadonlyArray<Tree> }>;
  /** What `redo` should go back to. */
  ways: ReadonlyArray<string>;
  turn: number;
};

async function live(rounds: ReadonlyArray<Round>): Promise<void> {
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'undo-life-')));
  const state = mkdtempSync(path.join(tmpdir(), 'undo-state-'));
  try {
    cpSync(template.folder, workspace, { recursive: true, preserveTimestamps: true });
    const repository = repositoryBytes(workspace);
    const undo = await open(workspace, state);
    const start: Tree = new Map([['a', '644 committed\n']]);
    const life: Life = {
      workspace,
      undo,
      environment: createLocalExecutionEnvironment(workspace),
      trees: Array.from({ length: TOGETHER }, () => start),
      moments: [],
      ways: [],
      turn: 0,
    };
    await snapshot(life, 'person');
    for (const one of rounds) await act(life, one);
    expect(repositoryBytes(workspace)).toEqual(repository);
    await undo.close();
  } finally {
    rmSync(workspace, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  }
}

async function act(life: Life, one: Round): Promise<void> {
  if (one.by === 'rewind') {
    const target = life.moments[Math.max(0, life.moments.length - 1 - one.back)];
    return goBack(life, target?.id ?? '', 'rewind');
  }
  if (one.by === 'redo') {
    const target = life.ways.at(-1);
    if (target !== undefined) return goBack(life, target, 'redo');
    expect(await life.undo.redo()).toMatchObject({ ok: false, error: { code: 'nothing_to_redo' } });
    return noteBefore(life);
  }
  if (one.by !== 'person') await snapshot(life, 'person');
  const before = life.trees;
  await makeEdits(life, one.by, one.edits);
  if (one.by === 'person') return;
  await snapshot(life, 'agent');
  if (!sameTrees(before, life.trees)) life.ways = [];
}

async function snapshot(life: Life, by: 'agent' | 'person'): Promise<void> {
  life.turn += 1;
  const { snapshot: taken, leftOut } = valueOf(await life.undo.snapshot({ turn: life.turn, by }));
  expect(leftOut).toEqual([]);
  life.moments = [...life.moments, { id: taken.id, by, trees: life.trees }];
}

/** A rewind stores the present first, as the person's, where it is not stored yet. */
function noteBefore(life: Life): void {
  const { id, by } = life.undo.list().findLast((one) => one.by !== 'rewind' && one.by !== 'redo') ?? { id: '', by: '' };
  if (by === 'person' && !life.moments.some((moment) => moment.id === id)) {
    life.moments = [...life.moments, { id, by: 'person', trees: life.trees }];
  }
}

async function goBack(life: Life, id: string, by: 'rewind' | 'redo'): Promise<void> {
  const listed = life.undo.list().find((one) => one.id === id);
  const target: RewindTarget = { id: listed?.id ?? 'snp_' };
  const result = valueOf<RewindResult>(by === 'redo' ? await life.undo.redo() : await life.undo.rewind(target));
  expect(result.target.id).toBe(id);
  noteBefore(life);
  const index = life.moments.findIndex((moment) => moment.id === id);
  const expected = life.trees.map((_tree, history) =>
    rewound(
      life.moments.map(({ trees, ...moment }) => ({ ...moment, tree: trees[history] ?? new Map() })),
      index,
    ),
  );
  const kept = expected.flatMap((one, history) => [...one.kept].map((key) => `h${history}/${key}`));
  expect(result.kept.map((one) => one.path).toSorted()).toEqual(kept.toSorted());
  life.trees = expected.map(({ tree }) => tree);
  expectFiles(life);
  life.moments = [...life.moments, { id: result.after.id, by: 'ours', trees: life.trees }];
  life.ways = by === 'redo' ? life.ways.slice(0, -1) : [...life.ways, result.before.id];
}

function expectFiles(life: Life): void {
  const expected: Record<string, string> = { '.gitignore': '644 *.ignored\n' };
  for (const [history, tree] of life.trees.entries()) {
    expected[`h${history}/x.ignored`] = '644 never touched';
    for (const [key, value] of tree) expected[`h${history}/${Buffer.from(key).toString('latin1')}`] = value;
  }
  expect(contents(life.workspace)).toEqual(expected);
}

async function makeEdits(
  life: Life,
  by: 'tool' | 'shell' | 'person',
  all: ReadonlyArray<ReadonlyArray<Edit>>,
): Promise<void> {
  const script: string[] = [];
  const inOneHistory = async (some: ReadonlyArray<Edit>, history: number): Promise<Tree> => {
    let tree = life.trees[history] ?? new Map<string, string>();
    for (const one of some) {
      if (!isPossible(tree, one)) continue;
      if (by === 'shell') script.push(inShell(`h${history}`, one));
      else if (by === 'tool') await withTools(life, `h${history}`, one);
      else directly(path.join(life.workspace, `h${history}`), one);
      tree = edited(tree, one);
    }
    return tree;
  };
  life.trees = await Promise.all(all.map(inOneHistory));
  if (script.length === 0) return;
  const ran = await life.environment.execCommand(`set -e\n${script.join('\n')}`, { timeoutMs: 600_000 });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
}

async function withTools(life: Life, folder: string, one: Edit): Promise<void> {
  const file = `${folder}/${one.name}`;
  const isForTools = one.kind === 'write' || one.kind === 'delete';
  if (!isForTools || one.name.includes('\n')) return directly(path.join(life.workspace, folder), one);
  if (one.kind === 'write') makeWay(path.join(life.workspace, folder), one.name, 'above');
  const stats = lstatSync(path.join(life.workspace, file), { throwIfNoEntry: false });
  if (one.kind === 'write' && (stats === undefined || stats.isFile())) {
    await life.environment.writeFile(file, one.content);
    chmodSync(path.join(life.workspace, file), one.mode);
  } else if (one.kind === 'delete' && stats?.isDirectory() !== true) await life.environment.deleteFile(file);
  else directly(path.join(life.workspace, folder), one);
}

function directly(folder: string, one: Edit): void {
  const file = path.join(folder, one.name);
  const actions: Readonly<Record<Edit['kind'], () => void>> = {
    write: () => {
      makeWay(folder, one.name, 'all');
      if (one.kind === 'write') writeFileSync(file, one.content);
      if (one.kind === 'write') chmodSync(file, one.mode);
    },
    link: () => {
      makeWay(folder, one.name, 'all');
      if (one.kind === 'link') symlinkSync(one.to, file);
    },
    rename: () => {
      if (one.kind !== 'rename') return;
      makeWay(folder, one.to, 'all');
      renameSync(file, path.join(folder, one.to));
    },
    chmod: () => {
      if (one.kind === 'chmod') chmodSync(file, one.mode);
    },
    delete: () => rmSync(file, { recursive: true }),
    folder: () => mkdirSync(file, { recursive: true }),
  };
  actions[one.kind]();
}

/** Removes what stands at the name (`all`) and files or links where its folders should be, and makes those. */
function makeWay(folder: string, wanted: string, what: 'above' | 'all'): void {
  const parts = wanted.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = path.join(folder, ...parts.slice(0, depth));
    if (lstatSync(above, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(above);
  }
  if (what === 'all') rmSync(path.join(folder, wanted), { recursive: true, force: true });
  mkdirSync(path.dirname(path.join(folder, wanted)), { recursive: true });
}

function inShell(folder: string, one: Edit): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const at = (wanted: string): string => quoted(`${folder}/${wanted}`);
  const way = (wanted: string): string => {
    const above = wanted
      .split('/')
      .slice(0, -1)
      .map((_part, index, parts) => at(parts.slice(0, index + 1).join('/')));
    const checks = above.map((place) => `if [ -L ${place} ] || [ -f ${place} ]; then rm -f ${place}; fi; `);
    const clear = `if [ -e ${at(wanted)} ] || [ -L ${at(wanted)} ]; then rm -rf ${at(wanted)}; fi; `;
    const folders = above.slice(-1).map((place) => `if [ ! -d ${place} ]; then mkdir -p ${place}; fi; `);
    return [...checks, clear, ...folders].join('');
  };
  const bytes = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  if (one.kind === 'write') {
    const bits = one.mode === 0o644 ? 'true' : `chmod ${one.mode.toString(8)} ${at(one.name)}`;
    return `${way(one.name)}printf '${bytes(one.content)}' > ${at(one.name)}; ${bits}`;
  }
  if (one.kind === 'link') return `${way(one.name)}ln -s ${quoted(one.to)} ${at(one.name)}`;
  if (one.kind === 'rename') return `${way(one.to)}mv -T ${at(one.name)} ${at(one.to)}`;
  if (one.kind === 'chmod') return `chmod ${one.mode.toString(8)} ${at(one.name)}`;
  return one.kind === 'delete' ? `rm -rf ${at(one.name)}` : `mkdir -p ${at(one.name)}`;
}

function sameTrees(a: ReadonlyArray<Tree>, b: ReadonlyArray<Tree>): boolean {
  return (
    JSON.stringify(a.map((tree) => [...tree].toSorted())) === JSON.stringify(b.map((tree) => [...tree].toSorted()))
  );
}
