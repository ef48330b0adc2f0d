import { lstatSync } from 'node:fs';
import path from 'node:path';
import { buildPathCase, OTHER_OPERATIONS, type PathCase, pathCases, type PathWorld } from '@attractor/confine/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createApplyPatchTool } from '../tools/apply-patch.ts';
import { dispatchToolCalls } from '../tools/dispatch.ts';
import { createListDirTool } from '../tools/list-dir.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createShellTool } from '../tools/shell.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import { createToolRegistry } from '../types/index.ts';

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const cases = pathCases('paths', 'further', 'corner');

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

const patch = (lines: string): string => `*** Begin Patch\n${lines}\n*** End Patch\n`;
const move = (from: string, to: string): string => `*** Update File: ${from}\n*** Move to: ${to}\n@@\n-x\n+y`;

describe('the tools stay inside their folder', () => {
  it('knows every kind of operation in the list', () => {
    expect(cases.filter(({ op }) => CALLS[op] === undefined && OTHER_OPERATIONS[op] === undefined)).toEqual([]);
  });

  it.each(cases.filter((one) => CALLS[one.op] !== undefined && one.during === undefined))(
    '$id $cls: $op, $why',
    async (one) => {
      const world = buildPathCase(one);
      onTestFinished(world.remove);
      const before = world.outside();
      const answer = await act(one, world);
      expect(answer.isError === !one.allowed || one.acceptEither !== undefined).toBe(true);
      expect(!one.allowed && /secret|outside\b(?! the)/.test(answer.output.replaceAll('secret.txt', ''))).toBe(false);
      expect(world.outside()).toEqual(before);
      if (one.expectLinkKept === true) {
        expect(lstatSync(path.join(world.root, one.path)).isSymbolicLink()).toBe(true);
      }
    },
  );
});

async function act(one: PathCase, world: PathWorld): Promise<{ readonly output: string; readonly isError: boolean }> {
  const env = createLocalExecutionEnvironment(world.root);
  const call = CALLS[one.op]?.(world.asked, world.source);
  const [tool, args] = world.cwd === null ? (call ?? ['', {}]) : inFolder(world.cwd, one.path);
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
