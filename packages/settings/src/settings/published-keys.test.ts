import { describe, expect, it } from 'vitest';
import { PUBLISHED_KEYS } from './test-support/published-keys.ts';
import { EVENTS, HANDLER_FIELDS, HEAD_FIELDS, PLUGIN_FIELDS, STYLE_FIELDS } from './test-support/published-fields.ts';
import { makeFolder } from '@attractor/base/testing';
import { rowOf, type HookEventName, isHookEvent } from '../hooks/events.ts';
import { readHookDefinitions } from '../hooks/read-definitions.ts';
import { examineTrust } from '../trust/trust.ts';
import { readUserFiles } from '../user-files/read-user-files.ts';
import { readSource } from './read-source.ts';
import type { Source } from './source.ts';

type Named = { readonly obeyed: boolean; readonly reason: string | null };

/** What becomes of one key. A value of the wrong kind is a problem that is told, so the key is read. */
function fateOf(form: Source['form'], text: string): Named {
  const origin = { scope: 'user', agent: 'attractor', file: '/f', line: null, name: null } as const;
  const { entries, problems, unmapped } = readSource({ form, text, origin });
  return { obeyed: entries.length > 0 || problems.length > 0, reason: unmapped[0]?.reason ?? null };
}

const nested = (key: string): string =>
  JSON.stringify(key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'x'));

describe('every published key is obeyed, or named with the reason why not', () => {
  it.each([
    ['claude', PUBLISHED_KEYS.claude, nested],
    ['gemini', PUBLISHED_KEYS.gemini, nested],
    ['opencode', PUBLISHED_KEYS.opencode, nested],
    ['codex', PUBLISHED_KEYS.codex, (key: string) => `${key} = "x"\n`],
  ] as const)('%s', (form, keys, write) => {
    const silent = keys.filter((key) => {
      const { obeyed, reason } = fateOf(form, write(key));
      return !obeyed && (reason === null || reason === 'not known here');
    });
    expect(silent).toEqual([]);
    expect(keys.length).toBeGreaterThan(20);
  });

  it.each(HEAD_FIELDS)('in the heads of $what', ({ file, fields }) => {
    const names = fields.trim().split(/\s+/);
    const home = makeFolder();
    const silent = names.filter((field) => {
      const known = Object.entries({ name: 'x', description: 'x' }).filter(([name]) => name !== field);
      const head = [...known, [field, 'x']].map(([name, value]) => `${name}: ${value}`).join('\n');
      const userHome = makeFolder({ [file]: `---\n${head}\n---\nDo it.\n` });
      const read = readUserFiles({ home, userHome, trust: examineTrust(home, { home }) });
      return [...read.unmapped, ...read.problems].some((one) => JSON.stringify(one).includes('not known here'));
    });
    expect(silent).toEqual([]);
    expect(names.length).toBeGreaterThan(9);
  });

  const unknownIn = (files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
    const home = makeFolder();
    const { unmapped } = readUserFiles({ home, userHome: makeFolder(files), trust: examineTrust(home, { home }) });
    return unmapped.filter(({ reason }) => reason === 'not known here').map(({ name }) => name);
  };

  it('in the manifest of a plugin', () => {
    const manifest = Object.fromEntries(['nonsense', ...PLUGIN_FIELDS.split(/\s+/)].map((name) => [name, 'x']));
    const file = '.agents/plugins/x/.claude-plugin/plugin.json';
    expect(unknownIn({ [file]: JSON.stringify(manifest) })).toEqual(['nonsense']);
  });

  it('in the heads of output styles', () => {
    const head = ['nonsense', ...STYLE_FIELDS.split(' ')].map((name) => `${name}: true`).join('\n');
    expect(unknownIn({ '.claude/output-styles/x.md': `---\n${head}\n---\nBe brief.\n` })).toEqual(['nonsense']);
  });

  it.each(Object.keys(HANDLER_FIELDS))('of hook handlers: %s', (type) => {
    const { needs = {}, more = {} } = HANDLER_FIELDS[type] ?? {};
    const origin = { scope: 'user', agent: 'claude-code', file: '/f', line: 1, name: null } as const;
    const read = (fields: object) =>
      readHookDefinitions([{ event: 'PreToolUse', value: { hooks: [{ type, ...needs, ...fields }] }, origin }]);
    const plain = read({});
    expect([plain.problems, plain.unused]).toEqual([[], []]);
    const silent = Object.entries(more).filter(([field, value]) => {
      const given = read({ [field]: value });
      const isNamed = given.unused.some(
        (line) => line.includes(`"${field}" has no effect: `) && !line.includes('not known'),
      );
      return !isNamed && JSON.stringify(given) === JSON.stringify(plain);
    });
    expect(silent).toEqual([]);
    expect(read({ [`${type}Nonsense`]: 1 }).unused).toEqual([expect.stringContaining('not known here')]);
  });

  it('of hooks: every event fires, or says why it never does', () => {
    const names = EVENTS.split(/\s+/);
    const known = names.filter((name): name is HookEventName => isHookEvent(name));
    expect(known).toEqual(names);
    expect(known.filter((name) => (rowOf(name).firedBy === null) === (rowOf(name).whyNot === undefined))).toEqual([]);
  });
});
