import { array, assert, constantFrom, integer, option, property, record, string } from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import { makeFolder, runs } from '@attractor/base/testing';

import { createReadFileTool } from '../read-file.ts';
import { editCells, parseNotebook } from '@attractor/files';
import { createNotebookEditTool, createNotebookReadTool } from './tools.ts';

const PNG = 'iVBORw0KGgo=';

/** As Jupyter writes it: one space, lists of lines; and things that nobody here knows. */
const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {"tags":   ["a"], "ratio": 1.0},
   "source": [
    "# Title\\n",
    "f\\u00fcr"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["\\u001b[31mred\\u001b[0m\\n"]},
    {"data": {"image/png": "${PNG}", "text/plain": ["<Figure>"]}, "metadata": {}, "output_type": "display_data"},
    {"ename": "E", "evalue": "v", "output_type": "error", "traceback": []}
   ],
   "source": [
    "1 + 1"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {"language": "julia"},
  "unknown": 1e3
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

function world(content: string) {
  const root = makeFolder({ 'a.ipynb': content });
  const env = createLocalExecutionEnvironment(root);
  const use = async (tool: ReturnType<typeof createNotebookEditTool>, args: Readonly<Record<string, unknown>> = {}) => {
    const answer = await tool.executor({ notebook_path: 'a.ipynb', ...args }, env);
    return typeof answer === 'string' ? { output: answer, isError: false } : answer;
  };
  return { root, env, use, content: () => readFileSync(path.join(root, 'a.ipynb'), 'utf8') };
}

const edit = createNotebookEditTool();
const read = createNotebookReadTool();

describe('reading a notebook', () => {
  it('shows cells with ids, sources, outputs and pictures, by both tools', async () => {
    const { use, env } = world(NOTEBOOK);
    const shown = await use(read);
    expect(shown).toMatchObject({
      output: [
        '[notebook in julia, 2 cells]',
        '[cell intro: markdown]\n# Title\nfür',
        '[cell sum: code, run 3]\n1 + 1\n[output]\nred\n<Figure>\n[image/png]\nE: v',
      ].join('\n\n'),
      images: [{ kind: 'IMAGE', source: { data: PNG, mediaType: 'image/png' } }],
    });
    expect(await createReadFileTool().executor({ file_path: 'a.ipynb' }, env)).toEqual(shown);
    expect((await use(read, { cell_id: 'intro' })).output).not.toContain('1 + 1');
    expect(await use(read, { cell_id: 'nothing' })).toMatchObject({ isError: true });
  });

  it('that is none says so, and is read as text by read_file', async () => {
    for (const content of ['{"cells": 1}', 'no json', '{"cells": [], "nbformat": 3}']) {
      const { use, env } = world(content);
      expect(await use(read), content).toMatchObject({ isError: true });
      expect(await createReadFileTool().executor({ file_path: 'a.ipynb' }, env)).toBe(`     1\t${content}`);
    }
  });
});

describe('editing a notebook', () => {
  it('replaces a source and drops its outputs, and leaves every other byte', async () => {
    const { use, content } = world(NOTEBOOK);
    expect(await use(edit, { cell_id: 'sum', new_source: 'a = "x"\nb\n' })).toEqual({
      output: 'Replaced the source of cell sum of a.ipynb.',
      isError: false,
    });
    const [head, tail] = [NOTEBOOK.indexOf('"execution_count": 3'), NOTEBOOK.indexOf('\n ],\n "metadata"')];
    expect(content()).toBe(
      `${NOTEBOOK.slice(0, head)}"execution_count": null,\n   "id": "sum",\n   "metadata": {},\n   "outputs": [],\n   "source": [\n    "a = \\"x\\"\\n",\n    "b\\n"\n   ]\n  }${NOTEBOOK.slice(tail)}`,
    );
  });

  it('keeps the data of the cell itself as it was written', async () => {
    const { use, content } = world(NOTEBOOK);
    await use(edit, { cell_id: 'intro', new_source: 'new' });
    expect(content()).toContain('"metadata": {"tags":   ["a"], "ratio": 1.0}');
    await use(edit, { cell_id: 'intro', new_source: 'x = 1', cell_type: 'code' });
    expect(content()).toContain('"outputs": []');
    await use(edit, { cell_id: 'intro', new_source: 'x', cell_type: 'markdown' });
    expect(JSON.parse(content()).cells[0]).toEqual({
      cell_type: 'markdown',
      id: 'intro',
      metadata: { tags: ['a'], ratio: 1 },
      source: ['x'],
    });
  });

  it('inserts at the beginning and behind a cell, and deletes; then nothing else has changed', async () => {
    const { use, content } = world(NOTEBOOK);
    await use(edit, { edit_mode: 'insert', new_source: 'first', cell_type: 'markdown' });
    await use(edit, { edit_mode: 'insert', cell_id: 'intro', new_source: 'two\nlines' });
    const sources = () => JSON.parse(content()).cells.map((cell: { source: string[] }) => cell.source.join(''));
    expect(sources()).toEqual(['first', '# Title\nfür', 'two\nlines', '1 + 1']);
    const [first, , third] = JSON.parse(content()).cells.map((cell: { id: string }) => cell.id);
    expect(new Set([first, third, 'intro', 'sum']).size).toBe(4);
    await use(edit, { edit_mode: 'delete', cell_id: first, new_source: '' });
    await use(edit, { edit_mode: 'delete', cell_id: third, new_source: '' });
    expect(content()).toBe(NOTEBOOK);
  });

  it('refuses unknown cells, missing ids, a file that changed and text that is none', async () => {
    const { use, content, env } = world(NOTEBOOK);
    expect(await use(edit, { cell_id: 'nope', new_source: '' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('Its cells are: intro, sum.'),
    });
    expect(await use(edit, { new_source: '' })).toMatchObject({ isError: true });
    expect(await use(edit, { cell_id: 'sum', new_source: '\ud800' })).toMatchObject({ isError: true });
    expect(content()).toBe(NOTEBOOK);
    await use(read);
    await env.execCommand('printf " " >> a.ipynb');
    expect(await use(edit, { cell_id: 'sum', new_source: 'x' })).toMatchObject({
      output: expect.stringContaining('changed since it was read'),
    });
  });

  it('keeps to the layout of the file: any notebook, any edit, other cells byte for byte', () => {
    const cell = record({
      cell_type: constantFrom('code', 'markdown'),
      metadata: constantFrom({}, { a: [1, { b: '"]}' }] }),
      source: string({ maxLength: 12 }),
      lines: constantFrom('list', 'string'),
    });
    const layout = record({
      indent: constantFrom(0, 1, 2, '\t'),
      end: constantFrom('\n', '\r\n'),
      minor: constantFrom(2, 5),
      cells: array(cell, { maxLength: 5 }),
    });
    const change = record({
      mode: constantFrom('replace' as const, 'insert' as const, 'delete' as const),
      at: integer({ min: 0, max: 5 }),
      source: string({ maxLength: 20 }),
      type: option(constantFrom('code' as const, 'markdown' as const), { nil: undefined }),
    });
    assert(
      property(layout, change, ({ indent, end, minor, cells }, { mode, at, source, type }) => {
        const made = cells.map(({ lines, ...rest }, index) => ({
          ...(minor === 5 ? { id: `id${index}` } : {}),
          ...rest,
          source: lines === 'string' ? rest.source : [rest.source],
        }));
        const text = JSON.stringify(
          { cells: made, metadata: { x: 1 }, nbformat: 4, nbformat_minor: minor },
          null,
          indent,
        ).replaceAll('\n', end);
        const edited = editCells(text, { mode, cellId: `cell-${at}`, source, type });
        expect(edited.ok).toBe(at < cells.length);
        if (!edited.ok) return;
        const before = parseNotebook(text);
        const after = parseNotebook(edited.content);
        if (!before.ok || !after.ok) throw new Error('no notebook');
        const kept = (list: ReadonlyArray<{ source: string }>) => list.map((one) => one.source);
        const said = source.replaceAll('\r\n', '\n');
        const old = kept(before.notebook.cells);
        const changed = {
          replace: [...old.slice(0, at), said, ...old.slice(at + 1)],
          insert: [...old.slice(0, at + 1), said, ...old.slice(at + 1)],
          delete: [...old.slice(0, at), ...old.slice(at + 1)],
        };
        expect(kept(after.notebook.cells)).toEqual(changed[mode]);
        const rest = JSON.stringify(
          { metadata: { x: 1 }, nbformat: 4, nbformat_minor: minor },
          null,
          indent,
        ).replaceAll('\n', end);
        expect(edited.content.endsWith(rest.slice(1))).toBe(true);
      }),
      { numRuns: runs(50, 5_000) },
    );
  });
});
