import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createApplyPatchTool } from '../tools/apply-patch.ts';
import { dispatchToolCalls } from '../tools/dispatch.ts';
import { createListDirTool } from '../tools/list-dir.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createShellTool } from '../tools/shell.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import { createToolRegistry } from '../types/index.ts';

type Step = {
  readonly dir?: string;
  readonly file?: string;
  readonly text?: string;
  readonly link?: string;
  readonly to?: string;
  readonly hard?: string;
  readonly fifo?: string;
  readonly chmod?: string;
  readonly mode?: string;
};
type Case = {
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
  readonly expectLinkKept?: boolean;
  readonly during?: ReadonlyArray<unknown>;
};
type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const cases: ReadonlyArray<Case> = ['paths.json', 'further-paths.json', 'corner-paths.json'].flatMap((name) =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')),
);

/** What a model would call for each kind of operation. */
const CALLS: Readonly<Record<string, (asked: string, source: string) => Call>> = {
  read: (asked) => ['read_file', { file_path: asked }],
  write: (asked) => ['write_file', { file_path: asked, content: 'changed\n' }],
  create: (asked) => ['write_file', { file_path: asked, content: 'made\n' }],
  list: (asked) => ['list_dir', { path: asked }],
  delete: (asked) => ['apply_patch', { patch: patch(`*** Delete File: ${asked}`) }],
  rename: (asked, source) => ['apply_patch', { patch: patch(move(source, asked)) }],
  'patch-add': (asked) => ['apply_patch', { patch: patch(`*** Add File: ${asked}\n+made`) }],
  'patch-delete': (asked) => ['apply_patch', { patch: patch(`*** Delete File: ${asked}`) }],
  'patch-move': (asked, source) => ['apply_patch', { patch: patch(move(source, asked)) }],
  'patch-update': (asked) => ['apply_patch', { patch: patch(`*** Update File: ${asked}\n@@\n-x\n+y`) }],
};

/** Kinds of the list that other parts answer for. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'http-get': 'the server serves files',
  extract: 'no tool unpacks an archive',
  grant: 'trust decides about working directories',
  temp: 'temporary files lie beside their target under random names',
};

const patch = (lines: string): string => `*** Begin Patch\n${lines}\n*** End Patch\n`;
const move = (from: string, to: string): string => `*** Update File: ${from}\n*** Move to: ${to}\n@@\n-x\n+y`;

describe('the tools stay inside their folder', () => {
  it('knows every kind of operation in the list', () => {
    expect(cases.filter(({ op }) => CALLS[op] === undefined && ELSEWHERE[op] === undefined)).toEqual([]);
  });

  it.each(cases.filter((one) => CALLS[one.op] !== undefined && one.during === undefined))(
    '$id $cls: $op, $why',
    async (one) => {
      const world = build(one);
      const before = snapshot(world.top);
      const answer = await act(one, world);
      expect(answer.isError === !one.allowed || one.acceptEither !== undefined).toBe(true);
      expect(!one.allowed && /secret|outside\b(?! the)/.test(answer.output.replaceAll('secret.txt', ''))).toBe(false);
      expect(changedOutside(before, snapshot(world.top), realpathSync(world.root))).toEqual([]);
      if (one.expectLinkKept === true) {
        expect(lstatSync(path.join(world.root, one.path)).isSymbolicLink()).toBe(true);
      }
    },
  );
});

type World = { readonly top: string; readonly root: string; readonly sub: (text: string) => string };

function build(one: Pick<Case, 'root' | 'setup'>): World {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'contain-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const sub = (text: string): string => text.replaceAll('$T', top);
  for (const step of one.setup) make(step, sub);
  return { top, root: sub(one.root), sub };
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

async function act(one: Case, world: World): Promise<{ readonly output: string; readonly isError: boolean }> {
  const env = createLocalExecutionEnvironment(world.root);
  const call = CALLS[one.op]?.(world.sub(one.path), world.sub(one.source ?? ''));
  const [tool, args] = one.cwd === undefined ? (call ?? ['', {}]) : inFolder(world.sub(one.cwd), one.path);
  const registry = createToolRegistry([
    createReadFileTool(),
    createWriteFileTool(),
    createListDirTool(),
    createApplyPatchTool(),
    createShellTool(),
  ]);
  const [result] = await dispatchToolCalls([{ toolCallId: '1', toolName: tool, args }], registry, env, false);
  return result ?? { output: '', isError: true };
}

/** Only a command has a folder of its own. */
function inFolder(folder: string, file: string): Call {
  return ['shell', { command: `echo changed > '${file}'`, working_dir: folder }];
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
