import { join } from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  CLAUDE_FLAGS,
  CODEX_FLAGS,
  CODEX_RESUME_FLAGS,
  codexLine,
  GEMINI_FLAGS,
  geminiLine,
} from '@attractor/headless';
import { addHeadlessFlags } from './flags.ts';

/** Null if our command line takes the words. */
function refusalOf(words: ReadonlyArray<string>): string | null {
  const command = addHeadlessFlags(new Command('attractor')).argument('[prompt]').exitOverride();
  command.configureOutput({ writeErr: () => undefined, outputError: () => undefined });
  try {
    command.parse([...words], { from: 'user' });
    return null;
  } catch (error) {
    return String(error);
  }
}

describe('the flags of other agents', () => {
  it('of claude: each is ours too, or is refused with its reason', () => {
    const options = addHeadlessFlags(new Command()).options;
    for (const { flag, here } of CLAUDE_FLAGS) {
      expect([flag, options.some(({ long }) => long === flag)]).toEqual([flag, true]);
      if (here.kind === 'refused') expect(refusalOf([flag, 'x'])).toContain(here.why);
    }
  });

  it.each([
    ['codex', [...CODEX_FLAGS, ...CODEX_RESUME_FLAGS], (words: ReadonlyArray<string>) => codexLine([...words, 'exec'])],
    ['gemini', GEMINI_FLAGS, geminiLine],
  ] as const)('of %s: each is ours in other words, needless, told or refused', (_agent, table, read) => {
    const given = values();
    for (const { flag, here } of table) {
      const name = /--[\w-]+/.exec(flag)?.[0] ?? '';
      const words = flag.includes('<') ? [`${name}=${given[name] ?? 'x'}`] : [name];
      if (here.kind === 'refused') {
        expect(() => read(words)).toThrow(`${name}: ${here.why}`);
        continue;
      }
      const { argv, notes } = read(words);
      expect([flag, refusalOf(argv)]).toEqual([flag, null]);
      expect([flag, notes.length]).toEqual([flag, here.kind === 'told' ? 1 : 0]);
    }
  });

  it('tables of config.toml are one text, the later of two lines counts, and a part of a server is refused', () => {
    const set = ['mcp_servers.x.command=old', 'mcp_servers.x.args=["a b"]', 'mcp_servers.x.command="srv"'];
    const { argv } = codexLine(['exec', ...set.flatMap((line) => ['-c', line]), 'go']);
    expect(argv).toContain('--codex-config=mcp_servers.x.command = "srv"\nmcp_servers.x.args = ["a b"]');
    expect(() => codexLine(['exec', '-c', 'mcp_servers.x.enabled=false', 'go'])).toThrow(/a part of a server/);
    expect(() => codexLine(['exec', '-c', 'shell_environment_policy.include_only=["A"]', 'go'])).toThrow(
      /can't be set/,
    );
  });

  it('a value may stand behind its flag, at it, or at its letter', () => {
    for (const words of [['-m', 'gpt-x'], ['-mgpt-x'], ['-m=gpt-x'], ['--model=gpt-x'], ['--model', 'gpt-x']])
      expect(codexLine(['exec', ...words, 'go']).argv).toEqual([
        '--usual-provider',
        'openai',
        '--model',
        'gpt-x',
        '--lines-of',
        'codex',
        '--print=go',
      ]);
    expect(codexLine(['exec', '--', '-x']).argv).toContain('--print=-x');
    expect(() => codexLine(['exec', '-m'])).toThrow('-m needs a value');
  });
});

/** Where not every text will do. */
const values = (): Readonly<Record<string, string>> => ({
  '--config': 'model=x',
  '--sandbox': 'read-only',
  '--output-schema': join(makeFolder({ 'schema.json': '{}' }), 'schema.json'),
  '--output-format': 'json',
  '--approval-mode': 'plan',
  '--extensions': 'none',
});
