/* A program for tests: changes files in the given folder, in one of the ways below. */
import { spawnSync } from 'node:child_process';
import fs, { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { applyPatchExecutor } from '../tools/apply-patch.ts';
import { editFileExecutor } from '../tools/edit-file.ts';
import { readFileExecutor } from '../tools/read-file.ts';
import { writeFileExecutor } from '../tools/write-file.ts';
import type { ToolResult } from '../types/index.ts';

const WAYS: Readonly<Record<string, (root: string, ...rest: string[]) => Promise<void>>> = {
  /** Appends its own lines to a file that others append to as well; continues after a refusal, as a model would. */
  'add-lines': async (root, name = '', count = '0') => {
    const env = createLocalExecutionEnvironment(root);
    for (let done = 0; done < Number(count);) {
      await readFileExecutor()({ file_path: 'shared.txt' }, env);
      const edit = { file_path: 'shared.txt', old_string: 'END', new_string: `${name}${done}\nEND` };
      const result = asResult(await editFileExecutor(edit, env));
      if (!result.isError) done++;
      else if (!/changed since|right now/.test(result.output)) throw new Error(result.output);
    }
  },
  /** Rewrites all files of the folder together, forever; reports the first time. */
  'rewrite-all': async (root, count = '0') => {
    const env = createLocalExecutionEnvironment(root);
    for (let generation = 1; ; generation++) {
      const writes = Array.from({ length: Number(count) }, (_, index) => ({
        kind: 'write' as const,
        path: `part-${index}/file.txt`,
        content: `generation ${generation}\n`,
      }));
      await env.changeFiles?.([...writes, { kind: 'write', path: `new/${generation}.txt`, content: 'x' }]);
      await env.changeFiles?.([{ kind: 'delete', path: `new/${generation}.txt` }]);
      if (generation === 1) writeSync(1, 'ready\n');
    }
  },
  /** Changes four files together, and dies right before its nth change of the disk. Exits normally if there are fewer. */
  'die-at': async (root, nth = '0') => {
    dieBefore(Number(nth));
    await createLocalExecutionEnvironment(root).changeFiles?.([
      { kind: 'write', path: 'a.txt', content: 'new\n' },
      { kind: 'delete', path: 'b.txt' },
      { kind: 'move', path: 'c.txt', to: 'made/c.txt', content: 'new\n' },
      { kind: 'write', path: 'made/d.txt', content: 'new\n' },
    ]);
  },
  /** In its own namespace: fills a small disk, then tries every tool; prints their answers and what is left. */
  'full-disk': async (root) => {
    mount(root, 'size=128k');
    writeFileSync(path.join(root, 'a.txt'), 'old\n');
    fill(path.join(root, 'ballast'));
    await report(root, 'x'.repeat(200_000));
  },
  /** The same on a read-only disk. */
  'read-only-disk': async (root) => {
    mount(root, 'size=128k');
    writeFileSync(path.join(root, 'a.txt'), 'old\n');
    const { status } = spawnSync('mount', ['-o', 'remount,ro', root]);
    if (status !== 0) throw new Error('The disk could not be made read-only.');
    await report(root, 'new\n');
  },
  /** As a user who does not own the files. */
  'no-permission': async (root) => {
    process.setgid?.(65_534);
    process.setuid?.(65_534);
    await report(root, 'new\n');
  },
};

await main(process.argv.slice(2));

async function main([way = '', root = '', ...rest]: ReadonlyArray<string>): Promise<void> {
  await WAYS[way]?.(root, ...rest);
}

function dieBefore(nth: number): void {
  let count = 0;
  for (const name of ['renameSync', 'linkSync', 'unlinkSync', 'writeFileSync', 'mkdirSync', 'rmdirSync'] as const) {
    const original = fs[name] as unknown as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (++count === nth) process.kill(process.pid, 'SIGKILL');
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
}

function mount(folder: string, options: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`No small disk: ${stderr}`);
}

function fill(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(1 << 20));
  } catch {
    // The disk is full now.
  }
}

async function report(root: string, content: string): Promise<void> {
  const env = createLocalExecutionEnvironment(root);
  const patch = `*** Begin Patch\n*** Add File: new/b.txt\n+${content.trimEnd()}\n*** Update File: a.txt\n@@\n-old\n+${content.trimEnd()}\n*** End Patch`;
  const answers = [
    await writeFileExecutor({ file_path: 'a.txt', content }, env),
    await writeFileExecutor({ file_path: 'deep/new.txt', content }, env),
    await editFileExecutor({ file_path: 'a.txt', old_string: 'old', new_string: content }, env),
    await applyPatchExecutor({ patch }, env),
  ].map(asResult);
  const left = readdirSync(root, { recursive: true }).map(String).toSorted();
  writeSync(1, JSON.stringify({ answers, left, kept: readFileSync(path.join(root, 'a.txt'), 'utf8') }));
}

function asResult(answer: string | ToolResult): ToolResult {
  return typeof answer === 'string' ? { output: answer, isError: false } : answer;
}
