import { describe, expect, it } from 'vitest';
import { parseRule } from './parse-rule.ts';
import type { Decision } from './types.ts';

const ORIGIN = { scope: 'user', file: '/home/me/.attractor/config.json', line: 3, root: '/work' } as const;
const parse = (text: string, behavior: Decision = 'allow') => parseRule(text, behavior, ORIGIN);

describe('a permission rule', () => {
  it.each([
    ['Bash', 'Bash', null],
    ['Bash(*)', 'Bash', null],
    ['Bash(git log *)', 'Bash', 'git log *'],
    ['Bash(npm run test:*)', 'Bash', 'npm run test:*'],
    ['Bash(echo "(a) b")', 'Bash', 'echo "(a) b"'],
    ['shell(git log *)', 'Bash', 'git log *'],
    [' Read(~/notes/**) ', 'Read', '~/notes/**'],
    ['Edit(//tmp/x)', 'Edit', '//tmp/x'],
    ['Edit(../other/**)', 'Edit', '../other/**'],
    ['WebFetch(domain:*.example.com)', 'WebFetch', 'domain:*.example.com'],
    ['mcp__github', 'mcp__github', null],
    ['mcp__github__get_*', 'mcp__github__get_*', null],
    ['Agent(reviewer)', 'Agent', 'reviewer'],
    ['Skill(release *)', 'Skill', 'release *'],
    ['report_outcome', 'report_outcome', null],
  ])('%s is understood', (text, tool, content) => {
    expect(parse(text)).toMatchObject({ ok: true, rule: { tool, content, behavior: 'allow', origin: ORIGIN } });
  });

  it.each([
    ['', 'expected a tool'],
    ['Bash(', 'expected a tool'],
    ['Bash()', 'nothing stands between the parentheses'],
    ['bash(ls)', 'expected Bash'],
    ['read', 'expected Read'],
    ['*', 'expected a tool'],
    ['Ba*', 'only in the names of MCP tools'],
    ['Read(!x)', 'not an exception to another'],
    ['Read(a/../b)', '".." may only stand at the beginning'],
    ['WebFetch(https://example.com)', 'WebFetch(domain:example.com)'],
    ['WebFetch(domain:example.com:443)', 'without scheme, port or path'],
    ['WebFetch(domain:good.test@evil.test)', 'without scheme, port or path'],
    ['mcp__*', 'names its server'],
    ['Tool(name:value)', 'only be denied or asked about'],
    ['Grep(secrets)', 'expected a parameter and its value'],
  ])('%s is refused with what is expected', (text, says) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'invalid_rule', retryable: false } });
    expect(parsed.ok ? '' : parsed.error.message).toContain(says);
  });

  it('about a parameter may deny or ask', () => {
    for (const behavior of ['deny', 'ask'] as const) {
      expect(parse('mcp__db__query(database:prod*)', behavior)).toMatchObject({
        ok: true,
        rule: { content: 'database:prod*' },
      });
      expect(parse('Bash(run_in_background:true)', behavior)).toMatchObject({ ok: true });
    }
    expect(parse('mcp__*', 'deny')).toMatchObject({ ok: true });
  });
});
