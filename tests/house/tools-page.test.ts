import { describe, expect, it } from 'vitest';
import { TOOL_NAMES } from '@attractor/tool-table';
import { judge } from './planted.ts';
import { toolsPage, withTools } from './tools-page.ts';

const page = (table: string) => `# Tools\n\nWhat they are.\n\n${table}\n\nMore.\n\n| a |\n| - |\n| b |\n`;
const DRAWN = withTools(page('| old |'));

describe('the page on tools', () => {
  it('lists every tool, and is accepted as drawn', () => {
    for (const name of TOOL_NAMES) expect(DRAWN).toContain(`| \`${name}\` `);
    expect(judge(toolsPage, { 'docs/tools.md': DRAWN })).toEqual([]);
    expect(withTools(DRAWN)).toBe(DRAWN);
  });

  it('keeps what stands around the table', () => {
    expect(DRAWN.split('| what it does')[0]).toBe('# Tools\n\nWhat they are.\n\n');
    expect(DRAWN.endsWith('\n\nMore.\n\n| a |\n| - |\n| b |\n')).toBe(true);
  });

  it.each([
    ['a tool too few', DRAWN.replace(/^.*`glob`.*\n/m, '')],
    ['another name', DRAWN.replace('`LS`', '`ls`')],
    ['no table', '# Tools\n'],
  ])('is refused with %s', (_what, text) => {
    expect(judge(toolsPage, { 'docs/tools.md': text })).toEqual([expect.stringContaining('docs/tools.md')]);
  });
});
