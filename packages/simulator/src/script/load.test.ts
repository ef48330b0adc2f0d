import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScript, parseScript } from './load.ts';

function problems(value: unknown): string[] {
  const result = parseScript(value);
  return result.ok ? [] : result.error.problems;
}

const fault = (value: unknown): unknown => ({ turns: [{ text: 'a' }, { text: 'b', fault: value }] });

describe('a script', () => {
  it('is read from YAML text, from JSON text and from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-script-'));
    try {
      const file = join(folder, 'script.yaml');
      writeFileSync(file, 'turns:\n  - text: from a file\n');
      expect(loadScript(file)).toMatchObject({
        ok: true,
        script: { conversations: [{ turns: [{ text: 'from a file' }] }] },
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(loadScript('turns:\n  - text: yaml\n')).toMatchObject({
      ok: true,
      script: { conversations: [{ turns: [{ text: 'yaml' }] }] },
    });
    expect(loadScript('{"turns":[{"text":"json"}]}')).toMatchObject({
      ok: true,
      script: { conversations: [{ turns: [{ text: 'json' }] }] },
    });
  });

  it('that cannot be read is named', () => {
    const result = loadScript('/nowhere/script.yaml');
    expect(result).toMatchObject({ ok: false, error: { code: 'script_unreadable', retryable: false } });
    expect(!result.ok && result.error.message).toContain('/nowhere/script.yaml');
  });

  it('that is not YAML says where', () => {
    expect(loadScript('turns:\n  - text: "open\n')).toMatchObject({ ok: false, error: { code: 'script_invalid' } });
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing at all', {}, /expected either "conversations" or the shorthand "turns"/],
    ['both forms', { turns: [], conversations: [] }, /and not both/],
    ['a misspelt field', { turns: [{ txt: 'a' }] }, /^turns\[0\]: Unrecognized key: "txt"/],
    ['a number for text', { turns: [{ text: 5 }] }, /^turns\[0\]\.text: .*expected string/],
    ['a negative delay', { turns: [{ text: 'a', delayMs: -1 }] }, /^turns\[0\]\.delayMs: /],
    [
      'a pattern that does not compile',
      { conversations: [{ match: { system: { regex: '(' } }, turns: [] }] },
      /^conversations\[0\]\.match\.system\.regex: expected a valid regular expression/,
    ],
    ['an unknown fault', fault('explode'), /^turns\[1\]\.fault.*(kinds are|Invalid)/],
    ['a fault with a wrong field', fault({ kind: 'cut', atByte: 'x' }), /^turns\[1\]\.fault\.atByte: /],
    ['a fault with a field of another', fault({ kind: 'empty', status: 500 }), /^turns\[1\]\.fault.*status/],
    ['an unknown use', { turns: [{ toolCalls: [{ use: 'fly' }] }] }, /^turns\[0\]\.toolCalls\[0\].*/],
    [
      'an edit without its parts',
      { turns: [{ toolCalls: [{ use: 'edit', path: 'a' }] }] },
      /^turns\[0\]\.toolCalls\[0\]\.old: /,
    ],
    ['a repeat of zero', { turns: [{ text: 'a', repeat: 0 }] }, /^turns\[0\]\.repeat/],
  ])('with %s is refused with the place and what belongs there', (_name, value, words) => {
    expect(problems(value).join('\n')).toMatch(words);
  });

  it('that is checked may be checked again', () => {
    const first = parseScript({ turns: [{ text: 'a', fault: 'overloaded' }] });
    expect(first.ok && parseScript(first.script)).toEqual(first);
  });
});
