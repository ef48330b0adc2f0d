import { assert, constantFrom, nat, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CHAR_LIMITS,
  DEFAULT_LINE_LIMITS,
  DEFAULT_TRUNCATION_MODES,
  truncateChars,
  truncateLines,
  truncateToolOutput,
} from './truncate.ts';

const middle = (n: number): string =>
  `\n\n[WARNING: Tool output was truncated. ${n} characters were removed from the middle. The full output is available in the event stream. If you need to see specific parts, re-run the tool with more targeted parameters.]\n\n`;
const first = (n: number): string =>
  `[WARNING: Tool output was truncated. First ${n} characters were removed. The full output is available in the event stream.]\n\n`;

describe('truncateChars', () => {
  it('keeps both halves around the marker in head_tail mode (AC5.3)', () => {
    const text = 'a'.repeat(50_000) + 'b'.repeat(50_000);
    expect(truncateChars(text, 50_000, 'head_tail')).toBe('a'.repeat(25_000) + middle(50_000) + 'b'.repeat(25_000));
  });

  it('keeps the end after the marker in tail mode (AC5.4)', () => {
    const text = 'a'.repeat(50_000) + 'b'.repeat(50_000);
    expect(truncateChars(text, 50_000, 'tail')).toBe(first(50_000) + 'b'.repeat(50_000));
  });

  it('keeps an odd number of characters exactly', () => {
    expect(truncateChars('abcdefghij', 5, 'head_tail')).toBe(`ab${middle(5)}hij`);
  });

  it.each(['', 'short', 'x'.repeat(10)])('leaves %j alone at or under the limit', (text) => {
    expect(truncateChars(text, 10, 'head_tail')).toBe(text);
    expect(truncateChars(text, 10, 'tail')).toBe(text);
  });

  it('never cuts a character in two', () => {
    const modes = constantFrom('head_tail' as const, 'tail' as const);
    assert(
      property(string({ unit: 'grapheme' }), nat(20), modes, (text, max, mode) => {
        expect(truncateChars(text, max, mode).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('truncateLines', () => {
  it('keeps the first and last lines and says how many went', () => {
    const text = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n');
    const lines = truncateLines(text, 256).split('\n');
    expect(lines).toHaveLength(257);
    expect([lines[0], lines[127], lines[129], lines.at(-1)]).toEqual(['line 0', 'line 127', 'line 172', 'line 299']);
    expect(lines[128]).toContain('44 lines were removed');
  });

  it('keeps an odd number of lines exactly, one more of the last, and none when there may be none', () => {
    expect(truncateLines('a\nb\nc\nd\ne', 3)).toMatch(/^a\n\[WARNING.* 2 lines .*\]\nd\ne$/);
    expect(truncateLines('a\nb\nc', 1)).toMatch(/^\[WARNING.* 2 lines .*\]\nc$/);
    expect(truncateLines('a\nb\nc', 0)).toMatch(/^\[WARNING.* 3 lines .*\]$/);
  });

  it('does not count the newline at the end as a line', () => {
    expect(truncateLines('a\nb\n', 2)).toBe('a\nb\n');
    expect(truncateLines('a\nb\nc\n', 2)).toMatch(/^a\n\[WARNING.* 1 lines .*\]\nc\n$/);
  });
});

describe('truncateToolOutput', () => {
  it('cuts characters before it counts lines (AC5.1)', () => {
    const short = Array.from({ length: 40_000 }, (_, i) => `${i}`).join('\n');
    const result = truncateToolOutput(short, 'shell');
    expect(result).toBe(truncateLines(truncateChars(short, 30_000, 'head_tail'), 256));
    expect(result.split('\n')).toHaveLength(257);
    const long = Array.from({ length: 300 }, () => 'x'.repeat(199)).join('\n');
    expect(truncateToolOutput(long, 'shell')).toBe(truncateChars(long, 30_000, 'head_tail'));
  });

  it.each([
    ['shell', 256],
    ['grep', 200],
    ['glob', 500],
  ])('cuts lines of a %s output that is within its characters at %s (AC5.2)', (tool, limit) => {
    expect(truncateToolOutput('x\n'.repeat(limit), tool)).toBe('x\n'.repeat(limit));
    expect(truncateToolOutput('x\n'.repeat(limit + 7), tool)).toContain('. 7 lines were removed');
  });

  it('handles ten million characters on one line (AC5.5)', () => {
    const result = truncateToolOutput('x'.repeat(10_000_000), 'shell');
    expect(result).toBe('x'.repeat(15_000) + middle(9_970_000) + 'x'.repeat(15_000));
  });

  it('takes both limits from the configuration (AC5.6)', () => {
    const config = { toolOutputLimits: { shell: 10 }, toolLineLimits: { read_file: 2 } };
    expect(truncateToolOutput('x'.repeat(20), 'shell', config)).toBe(`xxxxx${middle(10)}xxxxx`);
    expect(truncateToolOutput('a\nb\nc', 'read_file', config)).toContain('1 lines were removed');
  });

  it('gives an unknown tool thirty thousand characters, and a name like __proto__ no surprise', () => {
    expect(truncateToolOutput('x'.repeat(30_001), 'mine')).toContain('1 characters were removed from the middle');
    expect(truncateToolOutput('x', '__proto__')).toBe('x');
    expect(truncateToolOutput('x', 'constructor')).toBe('x');
  });

  it('leaves what a tool of another program says as it is, unless a limit is set for it', () => {
    const text = 'x'.repeat(60_000);
    expect(truncateToolOutput(text, 'mcp__files__read')).toBe(text);
    const config = { toolOutputLimits: { mcp__files__read: 10 } };
    expect(truncateToolOutput(text, 'mcp__files__read', config)).toBe(`xxxxx${middle(59_990)}xxxxx`);
  });

  it('holds for a tool under every name, and a limit may be set under the shown name or ours', () => {
    const text = 'x'.repeat(60_000);
    for (const [shown, house] of [
      ['Read', 'read_file'],
      ['Bash', 'shell'],
      ['run_shell_command', 'shell'],
      ['search_file_content', 'grep'],
      ['Edit', 'edit_file'],
    ] as const) {
      expect(truncateToolOutput(text, shown)).toBe(truncateToolOutput(text, house));
      expect(truncateToolOutput(text, shown, { toolOutputLimits: { [house]: 10 } }).length).toBeLessThan(1_000);
    }
    const both = { toolOutputLimits: { Bash: 20, shell: 2_000 } };
    expect(truncateToolOutput(text, 'Bash', both).length).toBeLessThan(1_000);
  });

  it('has the documented limits (AC5.6)', () => {
    expect(DEFAULT_CHAR_LIMITS).toEqual({
      read_file: 50_000,
      shell: 30_000,
      grep: 20_000,
      glob: 20_000,
      edit_file: 10_000,
      apply_patch: 10_000,
      write_file: 1_000,
      spawn_agent: 20_000,
    });
    expect(DEFAULT_TRUNCATION_MODES).toEqual({
      read_file: 'head_tail',
      shell: 'head_tail',
      grep: 'tail',
      glob: 'tail',
      edit_file: 'tail',
      apply_patch: 'tail',
      write_file: 'tail',
      spawn_agent: 'head_tail',
    });
    expect(DEFAULT_LINE_LIMITS).toEqual({ shell: 256, grep: 200, glob: 500, read_file: null, edit_file: null });
    for (const [tool, limit] of Object.entries(DEFAULT_CHAR_LIMITS)) {
      const mark = DEFAULT_TRUNCATION_MODES[tool] === 'tail' ? first(1) : middle(1);
      expect(truncateToolOutput('x'.repeat(limit), tool)).toBe('x'.repeat(limit));
      expect(truncateToolOutput('x'.repeat(limit + 1), tool)).toContain(mark);
    }
  });
});
