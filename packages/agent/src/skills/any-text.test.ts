import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate, importsOf, withoutComments } from '@attractor/settings';
import { readFrontmatter } from '@attractor/settings/frontmatter';
import { readCodexRules, splitTools, templateParts } from '@attractor/settings/testing';

import { runs } from '@attractor/base/testing';

/** Texts of the pieces that the readers look for, in any order. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '---\n',
        '\n',
        ': ',
        '- ',
        '&a ',
        '*a',
        '*b',
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        '```',
        '`',
        '!`',
        '!{',
        '@{',
        '@',
        '<!--',
      ),
      fc.constantFrom(
        '-->',
        '$ARGUMENTS',
        '$1',
        '{{args}}',
        'prefix_rule(',
        'pattern=',
        ')',
        ',',
        '#',
        '\\',
        '(',
        'key',
        ' ',
        '~/',
        '../',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

const ORIGIN = { scope: 'user', agent: 'codex', file: '/x', line: null, name: null } as const;
const VALUES = { arguments: '!`id` @x $1', names: [], firstIs: 1, sessionId: 's', folder: '/f' } as const;

describe('whatever is in a file', () => {
  it('reading it gives a value or says what is wrong, and never throws', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const whole of [given, `---\n${given}\n---\nbody`]) {
          const read = readFrontmatter(whole);
          if (!read.ok) expect(read.line).toBeGreaterThan(0);
          importsOf(whole);
          expect(withoutComments(whole).length).toBeLessThanOrEqual(whole.length);
          splitTools(whole);
        }
        readCodexRules({ form: 'codex-rules', text: given, origin: ORIGIN });
      }),
      { numRuns: runs(100, 30_000) },
    );
  });

  it('only commands that stand in the template itself are run, and only its own files are read', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('claude', 'gemini'), async (template, form) => {
        const own = templateParts(template, form);
        const done: string[] = [];
        const note = async (kind: string): Promise<{ ok: true; text: string }> => {
          done.push(kind);
          return { ok: true, text: '!`again` @again' };
        };
        await expandTemplate({ text: template, form }, VALUES, {
          run: () => note('command'),
          read: async () => (await note('file')).text,
        });
        expect(done).toEqual(own.map(({ kind }) => kind).filter((kind) => kind !== 'text'));
      }),
      { numRuns: runs(80, 20_000) },
    );
  });

  it.each([
    ['backticks', '`'.repeat(200_000)],
    ['fences', '```\n'.repeat(50_000)],
    ['comments that do not end', '<!--'.repeat(50_000)],
    ['imports', '@a/'.repeat(70_000)],
    ['braces that do not end', '!{'.repeat(100_000)],
    ['commands that do not end', '!`a'.repeat(60_000)],
  ])('very many %s take no longer than as many letters', (_what, given) => {
    importsOf(given);
    withoutComments(given);
    expect(templateParts(given, 'claude').length).toBeGreaterThan(0);
    expect(templateParts(given, 'gemini').length).toBeGreaterThan(0);
  });

  it('aliases that lead nowhere, or grow, are no head', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]`;
    for (const head of ['a: *nowhere', bomb])
      expect(readFrontmatter(`---\n${head}\n---\nx`)).toMatchObject({ ok: false });
  });
});
