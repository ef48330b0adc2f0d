import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { anchorFolder } from './anchor.ts';
import { resolveInside } from './resolve.ts';

type Step = { dir?: string; file?: string; text?: string; link?: string; to?: string; hard?: string; fifo?: string };
type Case = {
  id: string;
  cls: string;
  root: string;
  setup: ReadonlyArray<Step>;
  path: string;
  op: 'read' | 'write' | 'create' | 'list' | 'delete';
  allowed: boolean;
  why: string;
  acceptEither?: string;
  during?: ReadonlyArray<{ rename?: string; unlink?: string; link?: string; to?: string }>;
};

const cases: ReadonlyArray<Case> = JSON.parse(readFileSync(new URL('fixtures/paths.json', import.meta.url), 'utf8'));

describe('containment', () => {
  it.each(cases.filter((one) => one.during === undefined))('$id $cls: $op, $why', async (one) => {
    const world = build(one);
    const before = snapshot(world.top);
    const answer = await act(one, world).then(
      (output) => ({ done: true, output }),
      (error: Error) => ({ done: false, output: error.message }),
    );
    expect(answer.done === one.allowed || one.acceptEither !== undefined).toBe(true);
    expect(!one.allowed && answer.output.includes('\tsecret')).toBe(false);
    expect(changedOutside(before, snapshot(world.top), realpathSync(world.root))).toEqual([]);
  });

  it('keeps hold of a folder that is swapped for a link after the check', () => {
    const world = build({ root: '$T/ws', setup: [{ file: '$T/ws/src/a.ts', text: 'x' }, { dir: '$T/out' }] });
    const { folder } = resolveInside(world.root, 'src/a.ts');
    const held = anchorFolder(world.root, folder);
    renameSync(`${world.root}/src`, `${world.root}/src.old`);
    symlinkSync('../out', `${world.root}/src`);
    writeFileSync(`${held.at}/new.txt`, 'x');
    held.close();
    expect(readdirSync(`${world.top}/out`)).toEqual([]);
    expect(readdirSync(`${world.root}/src.old`)).toContain('new.txt');
  });

  it('refuses a folder that was swapped between resolving and opening', () => {
    const world = build({ root: '$T/ws', setup: [{ dir: '$T/ws/a/b' }, { dir: '$T/out/b' }] });
    const { real } = resolveInside(world.root, 'a/b');
    renameSync(`${world.root}/a`, `${world.root}/a.old`);
    symlinkSync('../out', `${world.root}/a`);
    expect(() => anchorFolder(world.root, real)).toThrow('replaced');
  });

  it('never reads outside while links are swapped in and out', async () => {
    const world = build({
      root: '$T/ws',
      setup: [
        { file: '$T/ws/src/a.ts', text: 'fine' },
        { file: '$T/out/a.ts', text: 'secret' },
      ],
    });
    const env = createLocalExecutionEnvironment(world.root);
    const read = async (): Promise<string> => env.readText('src/a.ts').catch(() => 'refused');
    for (let round = 0; round < 50; round++) {
      const reading = read();
      renameSync(`${world.root}/src`, `${world.root}/real`);
      symlinkSync('../out', `${world.root}/src`);
      const during = read();
      await Promise.resolve();
      unlinkSync(`${world.root}/src`);
      renameSync(`${world.root}/real`, `${world.root}/src`);
      expect([await reading, await during]).not.toContain('secret');
    }
  });
});

function build(one: Pick<Case, 'root' | 'setup'>): { top: string; root: string; sub: (text: string) => string } {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'contain-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const sub = (text: string): string => text.replaceAll('$T', top);
  for (const step of one.setup) make(step, sub);
  return { top, root: sub(one.root), sub };
}

function make(step: Step, sub: (text: string) => string): void {
  const name = sub(step.dir ?? step.file ?? step.link ?? step.hard ?? step.fifo ?? '');
  mkdirSync(step.dir === undefined ? path.dirname(name) : name, { recursive: true });
  if (step.file !== undefined) writeFileSync(name, sub(step.text ?? ''));
  if (step.link !== undefined) symlinkSync(sub(step.to ?? ''), name);
  if (step.hard !== undefined) linkSync(sub(step.to ?? ''), name);
  if (step.fifo !== undefined) spawnSync('mkfifo', [name]);
}

async function act(one: Case, world: ReturnType<typeof build>): Promise<string> {
  const env = createLocalExecutionEnvironment(world.root);
  const asked = world.sub(one.path);
  const operations = {
    read: () => env.readFile(asked),
    write: () => env.writeFile(asked, 'changed\n'),
    create: () => env.writeFile(asked, 'made\n'),
    list: () => env.listDirectory(asked),
    delete: () => env.deleteFile(asked),
  };
  return JSON.stringify((await operations[one.op]()) ?? '').replaceAll('\\t', '\t');
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

function changedOutside(before: Record<string, string>, after: Record<string, string>, root: string): string[] {
  return Object.keys({ ...before, ...after }).filter(
    (name) => before[name] !== after[name] && !name.startsWith(`${root}/`),
  );
}
