import { describe, expect, it } from 'vitest';
import { permissionLimits } from './permission-limits.ts';

describe('what the file of an agent forbids it', () => {
  it('is told by tool, by pattern, and in the older form', () => {
    const permission = { edit: 'deny', bash: { 'git push *': 'deny', 'git *': 'allow' }, webfetch: 'ask' };
    expect(permissionLimits(permission, { write: false, read: true, todowrite: false })).toEqual({
      ok: true,
      denied: ['Edit', 'Bash(git push *)', 'TodoWrite'],
      unmapped: ['bash', 'webfetch', 'read'],
    });
    const reader = permissionLimits({ '*': 'deny', read: 'allow', external_directory: 'deny' }, { 'db_*': false });
    expect(reader).toMatchObject({ ok: true, denied: expect.arrayContaining(['Bash', 'mcp__*', 'mcp__db__*']) });
    expect(reader).not.toMatchObject({ denied: expect.arrayContaining(['Read']) });
  });

  it('is every tool that is known here where it says so of all', () => {
    for (const said of ['deny', { '*': 'deny' }]) {
      const limits = permissionLimits(said, undefined);
      expect(limits.ok ? limits.denied.toSorted() : limits.message).toEqual(
        'AskUserQuestion Bash Edit Glob Grep LS Read Skill Task TodoRead TodoWrite WebFetch WebSearch mcp__*'.split(
          ' ',
        ),
      );
    }
  });

  it.each([
    ['a tool that is not known here', { teleport: 'deny' }, undefined],
    ['a word that is none', { edit: 'never' }, undefined],
    ['a switch that is none', undefined, { write: 'off' }],
    ['a list', ['deny'], undefined],
    ['no map of tools', undefined, 'none'],
  ])('that can not be held to ends it: %s', (_what, permission, tools) => {
    expect(permissionLimits(permission, tools)).toMatchObject({ ok: false, message: expect.any(String) });
  });
});
