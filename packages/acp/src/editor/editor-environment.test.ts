import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { environmentContract } from '@attractor/agent/testing';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { offersOf, type Editor } from './editor.ts';
import { editorEnvironment, type FileEdit } from './editor-environment.ts';

/** An editor that reads and writes the disk, and remembers which files it was asked for. */
function diskEditor(asked: string[] = []): Editor {
  return {
    sessionId: () => 's',
    can: offersOf({ fs: { readTextFile: true, writeTextFile: true } }),
    update: () => undefined,
    choose: async () => null,
    call: async (method, params) => {
      const { path: file, content } = { path: '', content: '', ...params };
      asked.push(file);
      if (method === 'fs/read_text_file') return { ok: true, result: { content: readFileSync(file, 'utf8') } };
      writeFileSync(file, content);
      return { ok: true, result: {} };
    },
  };
}

describe('the folder as an editor shows it', () => {
  const readOnly = { ...diskEditor(), can: offersOf({ fs: { readTextFile: true } }) };
  const cases = environmentContract(
    () => ({
      environment: editorEnvironment(createLocalExecutionEnvironment(makeFolder()), {
        editor: readOnly,
        note: () => undefined,
      }),
    }),
    { commands: 'none' },
  );
  it.each(cases)('keeps the contract of environments: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it('never asks an editor for what leads out, and notes what changed', async () => {
    const beside = makeFolder({ 'secret.txt': 'secret' });
    const folder = makeFolder({ 'a.txt': 'old' });
    symlinkSync(path.join(beside, 'secret.txt'), path.join(folder, 'link.txt'));
    const [asked, edits]: [string[], FileEdit[]] = [[], []];
    const environment = editorEnvironment(createLocalExecutionEnvironment(folder), {
      editor: diskEditor(asked),
      note: (edit) => void edits.push(edit),
    });
    for (const file of ['link.txt', path.join(beside, 'secret.txt'), '../x', '.git/hooks/pre-commit']) {
      await expect(environment.writeFile(file, 'x')).rejects.toMatchObject({ message: expect.any(String) });
      await expect(environment.readText(file)).rejects.toMatchObject({ message: expect.any(String) });
    }
    expect(asked).toEqual([]);
    await environment.writeFile('a.txt', 'new');
    await environment.changeFiles?.([
      { kind: 'move', path: 'a.txt', to: 'b.txt', content: null },
      { kind: 'write', path: 'c.txt', content: 'third' },
    ]);
    await environment.deleteFile('c.txt');
    expect(edits.map(({ path: file, before, after }) => [path.basename(file), before, after])).toEqual([
      ['a.txt', 'old', 'new'],
      ['a.txt', 'new', null],
      ['b.txt', null, 'new'],
      ['c.txt', null, 'third'],
      ['c.txt', 'third', null],
    ]);
  });
});
