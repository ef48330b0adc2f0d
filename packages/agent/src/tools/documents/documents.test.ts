import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import type { RegisteredTool } from '../../types/index.ts';
import { createReadFileTool } from '../read-file.ts';
import { createReadManyFilesTool } from './read-many.ts';

/** A PDF of one line a page, written by hand. */
function pdfOf(...lines: ReadonlyArray<string>): Buffer {
  const pages = lines.map((_, index) => 4 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, index) => {
      const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`, 'latin1');
}

function world(files: Readonly<Record<string, string | Buffer>>) {
  const root = makeFolder(Object.fromEntries(Object.keys(files).map((name) => [name, ''])));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(root, name), content);
  const env = createLocalExecutionEnvironment(root);
  return async (tool: RegisteredTool, args: Readonly<Record<string, unknown>>) => {
    const answer = await tool.executor(args, env);
    return typeof answer === 'string' ? { output: answer, isError: false } : answer;
  };
}

describe('read_file on a PDF', () => {
  it('shows its text by pages, and only those that were asked for', async () => {
    const use = world({ 'a.pdf': pdfOf('First page', 'Second page', 'Third page') });
    const read = createReadFileTool();
    expect(await use(read, { file_path: 'a.pdf' })).toEqual({
      output: '[page 1 of 3]\nFirst page\n\n[page 2 of 3]\nSecond page\n\n[page 3 of 3]\nThird page',
      isError: false,
    });
    expect((await use(read, { file_path: 'a.pdf', pages: '2' })).output).toBe('[page 2 of 3]\nSecond page');
    expect((await use(read, { file_path: 'a.pdf', pages: '2-' })).output).toContain('Third page');
    for (const pages of ['4', '0', '2-1', 'x', '1,2'])
      expect(await use(read, { file_path: 'a.pdf', pages }), pages).toMatchObject({ isError: true });
  });

  it('shows at most twenty pages at once, and says where it stopped', async () => {
    const use = world({ 'a.pdf': pdfOf(...Array.from({ length: 22 }, (_, index) => `Page ${index + 1}`)) });
    const { output } = await use(createReadFileTool(), { file_path: 'a.pdf' });
    expect(output).toContain('Page 20');
    expect(output).not.toContain('\nPage 21');
    expect(output).toContain('[Pages 21 to 22 are not shown: ask for them with pages.]');
  });

  it('that is damaged is a failure; one that is text is read as text', async () => {
    const use = world({ 'bad.pdf': '%PDF-1.4\nnothing here', 'text.pdf': 'just text\n' });
    expect(await use(createReadFileTool(), { file_path: 'bad.pdf' })).toMatchObject({ isError: true });
    expect((await use(createReadFileTool(), { file_path: 'text.pdf' })).output).toContain('just text');
  });
});

describe('read_many_files', () => {
  const tool = createReadManyFilesTool();

  it('shows paths, folders and globs, each once, without what is excluded', async () => {
    const use = world({ 'a.md': 'A', 'b.md': 'B', 'c.txt': 'C' });
    const { output } = await use(tool, { paths: ['a.md', '*.md', 'gone.md'], exclude: ['b*'] });
    expect(output).toMatch(/^--- a\.md ---\n {5}1\tA\n\n--- gone\.md ---\n\[not shown: .*does not exist/);
    expect((await use(tool, { paths: ['.'] })).output).toMatch(/a\.md[^]*b\.md[^]*c\.txt/);
    expect((await use(tool, { paths: ['*.none'] })).output).toBe('No files found.');
  });

  it('stays in bounds, and says what is left', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`${String(index).padStart(2, '0')}.txt`, 'x']),
    );
    const use = world({ ...many, 'long.log': 'y'.repeat(70_000) });
    const { output } = await use(tool, { paths: ['*.txt'] });
    expect(output).toContain('[10 more files are not shown, the next is 50.txt: ask for less.]');
    expect((await use(tool, { paths: ['long.log'] })).output.length).toBeLessThan(51_000);
  });
});
