import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from './redactor.ts';
import { REPORTED_BY_SECRETLINT, runs } from './test-support/planted-secrets.ts';

const config = {
  rules: [
    {
      id: creator.meta.id,
      rule: creator,
      rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }],
    },
  ],
};

/** The rules of secretlint that find something in a file of that name which is not a mask. */
async function reported(content: string, name: string): Promise<ReadonlyArray<string>> {
  const result = await lintSource({
    source: { filePath: `/nowhere/${name}`, content, ext: /\.\w+$/.exec(name)?.[0] ?? '', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  });
  return result.messages
    .filter(({ range: [start, end] }) => !content.slice(start, end + 12).includes('[redacted:'))
    .map(({ ruleId }) => ruleId);
}

const FILES: Readonly<Record<string, string>> = {
  'Google service account': 'key.json',
  'npmrc token': '.npmrc',
  'GitHub token in an address': 'package.json',
};

describe('what secretlint reports', () => {
  it.each(Object.entries(REPORTED_BY_SECRETLINT))('%s: is masked', async (kind, planted) => {
    const name = FILES[kind] ?? 'notes.txt';
    await fc.assert(
      fc.asyncProperty(planted, fc.constantFrom('', ' ', '\n', '"', '= '), async ({ secret, text }, before) => {
        const content = name.endsWith('.json') ? text : `${before}${text}`;
        expect(await reported(content, name)).not.toEqual([]);
        const redacted = redactText(content);
        expect(redacted).not.toContain(secret);
        expect(await reported(redacted, name)).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
  });

  it('covers every rule of its recommended set', async () => {
    const rules = new Set<string>();
    for (const [kind, planted] of Object.entries(REPORTED_BY_SECRETLINT)) {
      const [sample] = fc.sample(planted, { numRuns: 1, seed: 7 });
      for (const rule of await reported(sample?.text ?? '', FILES[kind] ?? 'notes.txt')) rules.add(rule);
    }
    const { rules: all } = await import('@secretlint/secretlint-rule-preset-recommend');
    const scanners = all.map((rule) => rule.meta.id).filter((id) => !id.includes('filter-comments'));
    expect(scanners.filter((id) => !rules.has(id))).toEqual([]);
  });
});
