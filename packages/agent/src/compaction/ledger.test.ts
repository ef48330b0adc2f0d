import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import type { Turn } from '../types/index.ts';
import { ledgerOf } from './ledger.ts';
import { ledgerText } from './ledger-text.ts';

const user = (content: string): Turn => ({ kind: 'user', content });
const steering = (content: string, source?: 'hook'): Turn => {
  return { kind: 'steering', content, ...defined({ source }) };
};

/** A round of one call. */
function round(toolName: string, args: Readonly<Record<string, unknown>>, output = 'ok'): ReadonlyArray<Turn> {
  const toolCallId = `${toolName}-${JSON.stringify(args)}`;
  const isError = output.startsWith('Denied') || output.startsWith('failed');
  return [
    { kind: 'assistant', content: [{ kind: 'TOOL_CALL', toolCallId, toolName, args }] },
    { kind: 'tool_results', results: [{ toolCallId, output, isError }] },
  ];
}

const all = (turns: ReadonlyArray<Turn>) => ledgerOf(turns, turns.length);

describe('the ledger', () => {
  it('holds what persons said, decided and approved, what was changed, and what is open', () => {
    const ledger = all([
      user('Port it to Rust. Never touch legal.txt.'),
      ...round('AskUserQuestion', { questions: [] }, 'Which edition?\n→ 2024'),
      ...round('ExitPlanMode', { plan: '1. parse 2. print' }),
      ...round('Write', { file_path: 'src/a.rs', content: '' }),
      ...round('edit_file', { file_path: 'src/b.rs', old_string: 'a', new_string: 'b' }),
      ...round('Write', { file_path: 'src/c.rs', content: '' }, 'failed: no space'),
      ...round('Read', { file_path: 'src/d.rs' }),
      steering('No, use tabs.'),
      steering('A hook says hello.', 'hook'),
      ...round('Bash', { command: 'git push' }, 'Denied: not on Fridays'),
      ...round('TodoWrite', {
        todos: [
          { content: 'parse', status: 'completed' },
          { content: 'print', status: 'in_progress' },
          { content: 'test', status: 'pending' },
        ],
      }),
    ]);
    expect(ledger.words.map(({ text }) => text)).toEqual(['Port it to Rust. Never touch legal.txt.', 'No, use tabs.']);
    expect(ledger.decisions.map(({ text }) => text.split('→ ')[1])).toEqual(['2024', 'Denied: not on Fridays']);
    expect(ledger.plan).toBe('1. parse 2. print');
    expect(ledger.files).toEqual(['src/a.rs', 'src/b.rs']);
    expect(ledger.open.map(({ id, text }) => `${id} ${text}`)).toEqual(['O1 print', 'O2 test']);
    expect(ledgerText(ledger, 10_000)).toContain('[turn 14, while you worked]\nNo, use tabs.');
  });

  it('leaves out what follows the cut, except files and open steps', () => {
    const turns = [user('one'), ...round('Write', { file_path: 'a', content: '' }), user('two')];
    expect(ledgerOf(turns, 1)).toMatchObject({ words: [{ text: 'one' }], files: ['a'] });
  });

  it('tells what was said twice once', () => {
    expect(all([user('go on'), user('stop'), user('go on')]).words.map(({ turn }) => turn)).toEqual([2, 3]);
  });
});

describe('a ledger that is too large', () => {
  const log = 'INFO nothing happened here\n'.repeat(2000);

  it('shortens long messages first, and keeps the lines in them that demand something', () => {
    const text = ledgerText(all([user(`${log}You must never use eval.\n${log}`), user('short and whole')]), 8000);
    expect(text.length).toBeLessThan(9000);
    expect(text).toContain('You must never use eval.');
    expect(text).toContain('short and whole');
    expect(text).toContain('characters left out');
  });

  it('keeps the first and the latest words, the open steps, and says what is gone', () => {
    const many = Array.from({ length: 400 }, (_, index) => user(`wish number ${index}: ${'words '.repeat(20)}`));
    const todos = { todos: [{ content: 'the open step', status: 'pending' }] };
    const text = ledgerText(all([user('the first wish'), ...many, ...round('TodoWrite', todos)]), 6000);
    expect(text.length).toBeLessThan(7000);
    expect(text).toContain('the first wish');
    expect(text).toContain('wish number 399');
    expect(text).toContain('the open step');
    expect(text).toMatch(/\[… \d+ earlier left out: recall shows them …\]/);
  });

  it('tells only the latest of very many files', () => {
    const files = Array.from({ length: 3000 }, (_, index) =>
      round('Write', { file_path: `src/f${index}.ts`, content: '' }),
    );
    const text = ledgerText(all([user('go'), ...files.flat()]), 10_000);
    expect(text.length).toBeLessThan(11_000);
    expect(text).toContain('src/f2999.ts');
    expect(text).toContain('earlier left out');
  });
});
