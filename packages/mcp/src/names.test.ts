import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@attractor/base/testing';
import { serverKey, toolName } from './names.ts';
import { toolSchema } from './tool-schema.ts';

describe('names', () => {
  it('keep what providers take and rules can find', () => {
    const taken = new Set<string>();
    expect(['github', 'my server', 'a__b', '__', 'a.b', 'a b'].map((name) => serverKey(name, taken))).toEqual([
      'github',
      'my_server',
      'a_b',
      'server',
      expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
      expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
    ]);
    expect(toolName('files', 'file.read', new Set())).toBe('mcp__files__file_read');
  });

  it('are valid and different, whatever servers call themselves and their tools', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 80 }), { minLength: 1, maxLength: 6 }),
        fc.uniqueArray(fc.string({ maxLength: 120 }), { minLength: 1, maxLength: 8 }),
        (servers, tools) => {
          const taken = new Set<string>();
          const keys = servers.map((name) => serverKey(name, taken));
          expect(new Set(keys).size).toBe(servers.length);
          const names = keys.flatMap((key) => {
            const ofServer = new Set<string>();
            return tools.map((tool) => [key, toolName(key, tool, ofServer)] as const);
          });
          expect(new Set(names.map(([, name]) => name)).size).toBe(names.length);
          for (const [key, name] of names) {
            expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
            expect(/^mcp__((?:(?!__).)+)__/.exec(`${name}__`)?.[1]).toBe(key);
          }
        },
      ),
      { numRuns: runs(60, 5_000) },
    );
  });
});

describe('toolSchema', () => {
  it('passes a sound schema on, and takes out only what breaks a check', () => {
    const sound = {
      type: 'object',
      properties: { pattern: { type: 'string', pattern: '^a$' }, at: { $ref: '#/$defs/at' } },
      $defs: { at: { type: 'integer' } },
      required: ['at'],
    };
    expect(toolSchema(sound)).toEqual(sound);
    const broken = { properties: { a: { pattern: '(' }, b: { $ref: 'https://x/y' }, c: { $ref: '#/nowhere' } } };
    expect(toolSchema(broken)).toEqual({ type: 'object', properties: { a: {}, b: {}, c: {} } });
    for (const none of [null, [], 'x', { a: 'x'.repeat(300_000) }])
      expect(toolSchema(none)).toEqual({ type: 'object', properties: {} });
  });
});
