import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { runGit } from '@attractor/git';
import { openUndo } from './undo.ts';
import type { SnapshotId } from './contract.ts';
import { contents, initRepository, link, open, put, repositoryBytes, valueOf } from './test-support/workspace.ts';

async function makeWorld(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }) {
  const workspace = makeFolder(files);
  const state = path.join(makeFolder(), 'undo');
  const at = (name: string): string => path.join(workspace, name);
  return { workspace, state, at, undo: await open(workspace, state) };
}

describe('a snapshot', () => {
  it('is taken only where something changed, once a turn in any case', async () => {
    const { undo, at } = await makeWorld();
    expect(valueOf(await undo.snapshot({ turn: 0 })).changes).toEqual([{ path: 'a.txt', change: 'added' }]);
    expect(valueOf(await undo.snapshot({ turn: 0 })).isNew).toBe(false);
    expect(valueOf(await undo.snapshot({ turn: 1 }))).toMatchObject({
      isNew: true,
      changes: [],
      snapshot: { changed: 0 },
    });
    put(at('a.txt'), 'two\n');
    put(at('b/c.txt'), 'new\n');
    expect(valueOf(await undo.snapshot({ turn: 1, seq: 17, label: 'two files' }))).toMatchObject({
      snapshot: { turn: 1, seq: 17, by: 'agent', label: 'two files', changed: 2 },
      changes: [
        { path: 'b/c.txt', change: 'added' },
        { path: 'a.txt', change: 'modified' },
      ],
    });
    expect(undo.list().map(({ turn }) => turn)).toEqual([0, 1, 1]);
  });

  it('leaves out what the repository ignores, here, above and in its own exclude list', async () => {
    const top = makeFolder({
      '.gitignore': 'node_modules/\n*.log\n',
      'pkg/.gitignore': 'dist\n',
      'pkg/src/a.ts': 'a',
      'pkg/node_modules/x.js': 'x',
      'pkg/dist/o.js': 'o',
      'pkg/private.txt': 'p',
      'other/b.ts': 'b',
    });
    await initRepository(top);
    put(path.join(top, '.git/info/exclude'), '/pkg/private.txt\n');
    const undo = await open(path.join(top, 'pkg'), path.join(makeFolder(), 'undo'));
    const { changes } = valueOf(await undo.snapshot({ turn: 0 }));
    expect(changes.map(({ path: name }) => name)).toEqual(['pkg/.gitignore', 'pkg/src/a.ts']);
  });

  it('holds the files of a workspace that a repository above ignores as a whole', async () => {
    const top = makeFolder({ '.gitignore': '*\n', 'scratch/a.txt': 'a' });
    await initRepository(top);
    const undo = await open(path.join(top, 'scratch'), path.join(makeFolder(), 'undo'));
    expect(valueOf(await undo.snapshot({ turn: 0 })).changes).toEqual([{ path: 'a.txt', change: 'added' }]);
  });

  it('reports what it leaves out: large files, nested repositories, pipes, files beyond the total', async () => {
    const { workspace, state, undo, at } = await makeWorld({
      'small.txt': 's',
      'large.bin': 'x'.repeat(5000),
      'inner/a': 'a',
    });
    await undo.close();
    await initRepository(at('inner'));
    execFileSync('mkfifo', [at('pipe')]);
    const bounded = await open(workspace, state, { fileBytes: 4000, snapshotBytes: 10 });
    put(at('mid.txt'), 'y'.repeat(20));
    const expected = [
      { path: 'inner/', reason: 'nested_repository' },
      { path: 'large.bin', reason: 'file_size', bytes: 5000 },
      { path: 'mid.txt', reason: 'total_size', bytes: 20 },
      { path: 'pipe', reason: 'special_file' },
    ];
    const first = valueOf(await bounded.snapshot({ turn: 0 }));
    expect(first.leftOut).toEqual(expected);
    expect(first.snapshot.leftOut).toBe(4);
    put(at('small.txt'), 't');
    expect(valueOf(await bounded.snapshot({ turn: 1 })).leftOut).toEqual(expected);
    valueOf(await bounded.rewind({ turn: 0 }));
    expect(contents(workspace)).toMatchObject({
      'small.txt': '644 s',
      'mid.txt': `644 ${'y'.repeat(20)}`,
      'inner/a': '644 a',
    });
  });

  it('says so when its time is over, and leaves the files for the next one', async () => {
    const { workspace, state, undo } = await makeWorld({ 'a.txt': 'a' });
    await undo.close();
    const hasty = await open(workspace, state, { snapshotMs: 1 });
    const outcome = await hasty.snapshot({ turn: 0 });
    expect(outcome.ok ? outcome.value.leftOut.map(({ reason }) => reason) : [outcome.error.code]).toEqual([
      outcome.ok ? 'time' : 'timeout',
    ]);
    await hasty.close();
    const patient = await open(workspace, state);
    expect(valueOf(await patient.snapshot({ turn: 0 })).leftOut).toEqual([]);
  });

  it('never runs a filter, hook or monitor of the repository, and applies none of its attributes', async () => {
    const { workspace, undo, at } = await makeWorld({
      'a.txt': 'one\r\n$Id$\r\n',
      '.gitattributes': '* text=auto eol=lf ident filter=evil working-tree-encoding=UTF-16\n',
    });
    const marker = path.join(makeFolder(), 'marker');
    const evil = path.join(makeFolder(), 'evil');
    put(evil, `#!/bin/sh\ntouch '${marker}'\ncat\n`, 0o755);
    await runGit(['init', '-q'], { cwd: workspace });
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'core.excludesFile',
    ]) {
      await runGit(['config', key, evil], { cwd: workspace });
    }
    for (const hook of ['post-index-change', 'post-checkout', 'pre-commit', 'reference-transaction']) {
      put(at(`.git/hooks/${hook}`), `#!/bin/sh\ntouch '${marker}'\n`, 0o755);
    }
    const before = contents(workspace);
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('a.txt'), 'two\n');
    valueOf(await undo.snapshot({ turn: 1 }));
    valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual(before);
    expect(existsSync(marker)).toBe(false);
  });

  it('does not store its own state when that lies inside the workspace', async () => {
    const workspace = makeFolder({ 'a.txt': 'a' });
    const undo = await open(workspace, path.join(workspace, '.attractor/undo [1]'));
    expect(valueOf(await undo.snapshot({ turn: 0 })).changes).toEqual([{ path: 'a.txt', change: 'added' }]);
    expect(valueOf(await undo.snapshot({ turn: 1 })).changes).toEqual([]);
  });
});

describe('a rewind', () => {
  it('brings back bytes, kinds, permission bits and names of any bytes, and can be redone', async () => {
    const { workspace, undo, at } = await makeWorld({});
    const odd = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0x0a, 0x22, 0x5c, 0xfe])]);
    writeFileSync(odd, 'odd name');
    put(at('crlf.txt'), 'a\r\nb');
    put(at('secret'), 'k', 0o600);
    put(at('run.sh'), '#!', 0o750);
    put(at('é/ü\n.txt'), 'umlaut');
    put(at('__proto__'), 'p', 0o640);
    put(at('empty'), '');
    writeFileSync(at('binary'), Buffer.from([0, 255, 13, 10, 0]));
    link(at('to-file'), 'crlf.txt');
    link(at('nowhere'), '/does/not/exist');
    const first = contents(workspace);
    valueOf(await undo.snapshot({ turn: 0 }));

    unlinkSync(odd);
    put(at('crlf.txt'), 'a\nb\n');
    chmodSync(at('secret'), 0o644);
    chmodSync(at('run.sh'), 0o640);
    chmodSync(at('__proto__'), 0o600);
    rmSync(at('é'), { recursive: true });
    put(at('é'), 'now a file');
    rmSync(at('to-file'));
    put(at('to-file/inside'), 'now a folder');
    rmSync(at('nowhere'));
    symlinkSync('elsewhere', at('nowhere'));
    renameSync(at('binary'), at('moved'));
    put(at('deep/er/new'), 'n');
    const second = contents(workspace);
    valueOf(await undo.snapshot({ turn: 1 }));

    const preview = valueOf(await undo.preview({ turn: 0 }));
    expect(contents(workspace)).toEqual(second);
    const rewound = valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual(first);
    expect(rewound.changes).toEqual(preview.changes);
    expect(rewound.kept).toEqual([]);
    expect(existsSync(at('deep'))).toBe(false);
    valueOf(await undo.redo());
    expect(contents(workspace)).toEqual(second);
    expect(await undo.redo()).toMatchObject({ ok: false, error: { code: 'nothing_to_redo' } });
    valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual(first);
    expect(readdirSync(workspace).filter((name) => name.startsWith('.attractor'))).toEqual([]);
  });

  it('keeps what a person changed meanwhile and says so', async () => {
    const { undo, at, workspace } = await makeWorld({ both: '0', person: '0', agent: '0', early: '0' });
    valueOf(await undo.snapshot({ turn: 0, by: 'person' }));
    put(at('both'), 'agent');
    put(at('agent'), 'agent');
    put(at('made'), 'agent');
    valueOf(await undo.snapshot({ turn: 1 }));
    put(at('early'), 'person, before the agent');
    valueOf(await undo.snapshot({ turn: 2, by: 'person' }));
    put(at('early'), 'agent, after the person');
    valueOf(await undo.snapshot({ turn: 2 }));
    put(at('both'), 'person');
    put(at('person'), 'person');
    put(at('note'), 'person');
    const { kept, changes } = valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual({
      both: '644 person',
      person: '644 person',
      note: '644 person',
      agent: '644 0',
      early: '644 person, before the agent',
    });
    expect(kept.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'both', reason: 'conflict' },
      { path: 'early', reason: 'conflict' },
      { path: 'note', reason: 'person' },
      { path: 'person', reason: 'person' },
    ]);
    expect(changes.map(({ path: name }) => name).toSorted()).toEqual(['agent', 'early', 'made']);
    put(at('agent'), 'person, after the rewind');
    valueOf(await undo.redo());
    expect(contents(workspace)).toMatchObject({
      agent: '644 person, after the rewind',
      early: '644 agent, after the person',
      made: '644 agent',
    });
  });

  it('does not delete a file that was there before, ignored', async () => {
    const { undo, at, workspace } = await makeWorld({ '.gitignore': '.env\n', '.env': 'KEY', 'a.txt': '1' });
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('.gitignore'), '');
    put(at('a.txt'), '2');
    put(at('made'), 'm');
    valueOf(await undo.snapshot({ turn: 1 }));
    const { kept } = valueOf(await undo.rewind({ turn: 0 }));
    expect(kept).toEqual([{ path: '.env', reason: 'ignored' }]);
    expect(contents(workspace)).toEqual({ '.gitignore': '644 .env\n', '.env': '644 KEY', 'a.txt': '644 1' });
  });

  it('neither overwrites nor deletes what is not stored', async () => {
    const { undo, at, workspace, state } = await makeWorld({ grows: 'small', shrinks: 'x'.repeat(200) });
    await undo.close();
    const bounded = await open(workspace, state, { fileBytes: 100 });
    valueOf(await bounded.snapshot({ turn: 0 }));
    put(at('grows'), 'y'.repeat(300));
    put(at('shrinks'), 'tiny');
    put(at('new'), 'n');
    valueOf(await bounded.snapshot({ turn: 1 }));
    const { kept } = valueOf(await bounded.rewind({ turn: 0 }));
    expect(kept).toEqual([
      { path: 'grows', reason: 'not_stored' },
      { path: 'shrinks', reason: 'not_stored' },
    ]);
    expect(contents(workspace)).toEqual({ grows: `644 ${'y'.repeat(300)}`, shrinks: '644 tiny' });
  });

  it('brings a person’s file back where the target has a file in place of its folder', async () => {
    const { undo, at, workspace } = await makeWorld({ place: 'a file then' });
    valueOf(await undo.snapshot({ turn: 0 }));
    rmSync(at('place'));
    valueOf(await undo.snapshot({ turn: 1 }));
    put(at('place/note'), 'person');
    valueOf(await undo.snapshot({ turn: 2, by: 'person' }));
    rmSync(at('place'), { recursive: true });
    valueOf(await undo.snapshot({ turn: 2 }));
    const { kept } = valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual({ 'place/note': '644 person' });
    expect(kept).toEqual([
      { path: 'place/note', reason: 'conflict' },
      { path: 'place', reason: 'in_the_way' },
    ]);
  });

  it('keeps an ignored file that stands where a stored one was', async () => {
    const { undo, at, workspace } = await makeWorld({ key: 'stored' });
    valueOf(await undo.snapshot({ turn: 0 }));
    rmSync(at('key'));
    put(at('.gitignore'), 'key\n');
    valueOf(await undo.snapshot({ turn: 1 }));
    put(at('key'), 'made since, ignored');
    const { kept } = valueOf(await undo.rewind({ turn: 0 }));
    expect(kept).toEqual([{ path: 'key', reason: 'not_stored' }]);
    expect(contents(workspace)).toEqual({ key: '644 made since, ignored' });
  });

  it('goes around what is in the way: a folder with a file that stays, a link in place of a folder', async () => {
    const { undo, at, workspace } = await makeWorld({ '.gitignore': '*.o\n', place: 'file', 'd/x': 'x' });
    const outside = makeFolder({ x: 'outside' });
    valueOf(await undo.snapshot({ turn: 0 }));
    rmSync(at('place'));
    put(at('place/agent'), 'a');
    put(at('place/built.o'), 'ignored');
    renameSync(at('d'), at('e'));
    valueOf(await undo.snapshot({ turn: 1 }));
    link(at('d'), outside);
    const { kept } = valueOf(await undo.rewind({ turn: 0 }));
    expect(kept).toEqual([
      { path: 'd', reason: 'person' },
      { path: 'd/x', reason: 'in_the_way' },
      { path: 'place', reason: 'in_the_way' },
    ]);
    expect(contents(workspace)).toEqual({
      '.gitignore': '644 *.o\n',
      'place/built.o': '644 ignored',
      d: `link ${outside}`,
    });
    expect(contents(outside)).toEqual({ x: '644 outside' });
  });

  it('follows a folder that became a link to itself under another name, and back', async () => {
    const { undo, at, workspace } = await makeWorld({ 'd/x': 'x', 'd/y': 'y' });
    const first = contents(workspace);
    valueOf(await undo.snapshot({ turn: 0 }));
    renameSync(at('d'), at('e'));
    symlinkSync('e', at('d'));
    const second = contents(workspace);
    valueOf(await undo.snapshot({ turn: 1 }));
    valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual(first);
    valueOf(await undo.redo());
    expect(contents(workspace)).toEqual(second);
  });

  it('can be redone after a person’s changes, and no more after the agent’s', async () => {
    const { undo, at, workspace } = await makeWorld({ a: '0' });
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('a'), '1');
    valueOf(await undo.snapshot({ turn: 1 }));
    valueOf(await undo.rewind({ turn: 0 }));
    put(at('mine'), 'person');
    valueOf(await undo.snapshot({ turn: 1, by: 'person' }));
    valueOf(await undo.redo());
    expect(contents(workspace)).toEqual({ a: '644 1', mine: '644 person' });
    valueOf(await undo.rewind({ turn: 0 }));
    put(at('b'), 'agent');
    valueOf(await undo.snapshot({ turn: 1 }));
    expect(undo.redoable()).toBeNull();
    expect(await undo.redo()).toMatchObject({ ok: false, error: { code: 'nothing_to_redo' } });
    expect(contents(workspace)).toMatchObject({ a: '644 0', b: '644 agent' });
  });

  it('goes to a snapshot by id, turn or seq, and refuses an unknown one', async () => {
    const { undo, at, workspace } = await makeWorld({ a: '0' });
    expect(await undo.rewind({ turn: 0 })).toMatchObject({ ok: false, error: { code: 'unknown_target' } });
    const ids: SnapshotId[] = [];
    for (const turn of [0, 1, 2, 4]) {
      put(at('a'), `${turn}`);
      ids.push(valueOf(await undo.snapshot({ turn, seq: turn * 10 })).snapshot.id);
    }
    const after = async (target: Parameters<typeof undo.rewind>[0]): Promise<string | undefined> => {
      valueOf(await undo.rewind(target));
      return contents(workspace)['a'];
    };
    expect(await after({ turn: 3 })).toBe('644 2');
    expect(await after({ seq: 19 })).toBe('644 1');
    expect(await after({ id: ids[3] ?? 'snp_' })).toBe('644 4');
    valueOf(await undo.rewind({ turn: 0 }, { seq: 50 }));
    expect(await after({ seq: 49 })).toBe('644 4');
    expect(await after({ seq: 50 })).toBe('644 0');
    expect(await undo.rewind({ id: 'snp_none' })).toMatchObject({ ok: false, error: { code: 'unknown_target' } });
  });

  it('survives another open: the history, the way back and the way forth', async () => {
    const { undo, at, workspace, state } = await makeWorld({ a: '0' });
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('a'), '1');
    valueOf(await undo.snapshot({ turn: 1 }));
    await undo.close();
    const again = await open(workspace, state);
    valueOf(await again.rewind({ turn: 0 }));
    await again.close();
    expect(contents(workspace)).toEqual({ a: '644 0' });
    const third = await open(workspace, state);
    valueOf(await third.redo());
    expect(contents(workspace)).toEqual({ a: '644 1' });
    expect(await undo.snapshot({ turn: 2 })).toMatchObject({ ok: false, error: { code: 'closed' } });
  });
});

describe('the store', () => {
  it('is open once', async () => {
    const { undo, workspace, state } = await makeWorld();
    expect(await openUndo({ workspace, statePath: state })).toMatchObject({
      ok: false,
      error: { code: 'locked', retryable: true },
    });
    await undo.close();
    expect(await openUndo({ workspace, statePath: state })).toMatchObject({ ok: true });
  });

  it('is private to its owner', async () => {
    const { undo, state } = await makeWorld();
    valueOf(await undo.snapshot({ turn: 0 }));
    expect(execFileSync('stat', ['-c', '%a', state], { encoding: 'utf8' })).toBe('700\n');
  });

  it('drops the oldest snapshots and their content when asked, and keeps the others whole', async () => {
    const { undo, at, workspace } = await makeWorld({ keep: 'k' });
    for (let turn = 0; turn < 6; turn += 1) {
      writeFileSync(
        at('big'),
        Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * index * (turn + 3)) >> 5)),
      );
      valueOf(await undo.snapshot({ turn }));
    }
    const all = valueOf(await undo.prune({}));
    expect(all).toMatchObject({ dropped: 0, kept: 6 });
    const some = valueOf(await undo.prune({ snapshots: 2 }));
    expect(some).toMatchObject({ dropped: 4, kept: 2 });
    expect(some.storeBytes).toBeLessThan(all.storeBytes);
    expect(await undo.rewind({ turn: 1 })).toMatchObject({ ok: false, error: { code: 'unknown_target' } });
    const newest = contents(workspace);
    valueOf(await undo.rewind({ turn: 4 }));
    expect(contents(workspace)).not.toEqual(newest);
    valueOf(await undo.redo());
    expect(contents(workspace)).toEqual(newest);
    expect(valueOf(await undo.prune({ storeBytes: 1 })).kept).toBe(1);
  });

  it('loses one snapshot to a damaged line and none to a damaged index', async () => {
    const { undo, at, workspace, state } = await makeWorld({ a: '0' });
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('a'), '1');
    valueOf(await undo.snapshot({ turn: 1 }));
    await undo.close();
    writeFileSync(path.join(state, 'snapshots.jsonl'), '{"v":1,"id":"snp_to', { flag: 'a' });
    writeFileSync(path.join(state, 'shadow.git/index'), 'garbage that is no index at all');
    writeFileSync(path.join(state, 'shadow.git/index.lock'), '');
    const again = await open(workspace, state);
    put(at('a'), '2');
    valueOf(await again.snapshot({ turn: 2 }));
    expect(again.list()).toHaveLength(3);
    valueOf(await again.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual({ a: '644 0' });
  });

  it('forgets no change when a snapshot could not be noted', async () => {
    const { undo, at, workspace, state } = await makeWorld({ a: '0' });
    const log = path.join(state, 'snapshots.jsonl');
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('a'), '1');
    renameSync(log, `${log}.away`);
    mkdirSync(log);
    expect(await undo.snapshot({ turn: 1 })).toMatchObject({ ok: false, error: { code: 'failed' } });
    rmSync(log, { recursive: true });
    renameSync(`${log}.away`, log);
    expect(valueOf(await undo.snapshot({ turn: 1 })).isNew).toBe(true);
    valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(workspace)).toEqual({ a: '644 0' });
    valueOf(await undo.redo());
    expect(contents(workspace)).toEqual({ a: '644 1' });
  });

  it('stops on request and takes the snapshot the next time', async () => {
    const { undo } = await makeWorld({ a: '0' });
    const stopped = await undo.snapshot({ turn: 0, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ ok: false, error: { code: 'aborted', retryable: true } });
    expect(valueOf(await undo.snapshot({ turn: 0 })).changes).toEqual([{ path: 'a', change: 'added' }]);
  });

  it('leaves the person’s repository byte for byte as it is', async () => {
    const { workspace, undo, at } = await makeWorld({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    await initRepository(workspace);
    put(at('b.txt'), 'staged\n');
    await runGit(['add', 'b.txt'], { cwd: workspace });
    put(at('b.txt'), 'unstaged\n');
    const before = repositoryBytes(workspace);
    valueOf(await undo.snapshot({ turn: 0 }));
    put(at('a.txt'), 'two\n');
    rmSync(at('b.txt'));
    valueOf(await undo.snapshot({ turn: 1 }));
    valueOf(await undo.rewind({ turn: 0 }));
    expect(repositoryBytes(workspace)).toEqual(before);
    mkdirSync(at('x'));
    expect((await runGit(['status', '--porcelain'], { cwd: workspace })).stdout).toBe('MM b.txt\n');
  });
});
