import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test-support/index.ts';
import { ofPlan, planIn, planMarkdown, planProblemText, readPlanText } from './index.ts';

const JWT = {
  summary: 'Tokens protect the API.',
  files_to_create: [{ path: 'auth/jwt.py', purpose: 'JWT token handling' }],
  files_to_modify: [{ path: './api/routes.py', changes: 'Add auth middleware' }],
  dependencies: ['pyjwt==2.8.0', 'redis==5.0.0'],
  commands: ['pip install pyjwt redis'],
  tests: [{ path: 'tests/test_auth.py', coverage: 'Token generation and validation' }],
  order: ['Create auth/jwt.py', 'Protect the routes'],
  risks: ['Old clients have no token, met by a switch'],
};

const TEXT = `# Plan

Tokens protect the API.

## Files to create

- \`auth/jwt.py\`: JWT token handling

## Files to modify

- \`api/routes.py\`: Add auth middleware

## Dependencies

- pyjwt==2.8.0
- redis==5.0.0

## Commands

- \`pip install pyjwt redis\`

## Tests

- \`tests/test_auth.py\`: Token generation and validation

## Order

1. Create auth/jwt.py
2. Protect the routes

## Risks

- Old clients have no token, met by a switch`;

const problemsOf = (value: unknown): string => {
  const read = typeof value === 'string' ? readPlanText(value) : ofPlan(value);
  return read.kind === 'invalid' ? planProblemText(read.problems) : '';
};

describe('a plan', () => {
  it('is the same as data, as JSON and as markdown, and lists may be left out', () => {
    expect(ofPlan(JWT)).toMatchObject({ kind: 'data', text: TEXT });
    for (const text of [TEXT, JSON.stringify(JWT), `\`\`\`json\n${JSON.stringify({ plan: JWT })}\n\`\`\``])
      expect(planIn(text)).toEqual({
        ...JWT,
        files_to_modify: [{ path: 'api/routes.py', changes: 'Add auth middleware' }],
      });
    expect(planIn('{"commands": ["make"]}')).toMatchObject({ commands: ['make'], tests: [], risks: [] });
  });

  it('comes back from its own text, whatever is in it', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('`', '``', '- a', '1. b', '# c', '## Tests', ': ', '\\# d', 'a\n\nb'),
    );
    const words = fc.array(word, { maxLength: 3 }).map((parts) => parts.join(''));
    const path = fc
      .array(fc.stringMatching(/^[\w`: -]*\w$/), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    const texts = fc.array(
      words.filter((one) => one.trim() !== ''),
      { maxLength: 3 },
    );
    const lists = { dependencies: texts, commands: texts, order: texts, risks: texts };
    const entries = (note: string) => fc.array(fc.record({ path, [note]: words }), { maxLength: 3 });
    const plans = fc.record({
      summary: words,
      files_to_create: entries('purpose'),
      files_to_modify: entries('changes'),
      tests: entries('coverage'),
      ...lists,
    });
    fc.assert(
      fc.property(plans, (written) => {
        const read = ofPlan(written);
        if (read.kind !== 'data') return;
        expect(planIn(planMarkdown(read.plan))).toEqual(read.plan);
      }),
      { numRuns: runs(300) },
    );
  });

  it('that a person edited keeps its meaning with other marks, further lines and sections of its own', () => {
    const text = `# Plan

## Files to modify
* api/routes.py - guard it,
  and log it
* \`README.md\`

## Notes
Ask Ada first.

### Tests:
- tests/a.py: tokens`;
    expect(planIn(text)).toMatchObject({
      files_to_modify: [
        { path: 'api/routes.py', changes: 'guard it,\nand log it' },
        { path: 'README.md', changes: '' },
      ],
      tests: [{ path: 'tests/a.py', coverage: 'tokens' }],
    });
    expect(readPlanText(text)).toMatchObject({ text });
  });

  it('in words of its own is words, also under headings that plans have', () => {
    for (const text of ['1. Change the operator.', '## Tests\nRun them all.', '# The plan\n\n## Risks\n- none'])
      expect(readPlanText(text)).toEqual({ kind: 'words', text });
  });

  it.each<[string, unknown, string]>([
    ['no object', ['x'], '$: expected an object with summary, files_to_create'],
    ['a name that no plan has', { file_to_create: [] }, '$.file_to_create: expected nothing of this name'],
    ['nothing to do', { risks: ['x'] }, '$: expected at least one file'],
    ['no list', { commands: 'make' }, '$.commands: expected a list'],
    ['an empty text', { commands: ['make', ' '] }, '$.commands[1]: expected a text that is not empty'],
    ['a path that leads out', { tests: [{ path: '../x' }] }, '$.tests[0].path: expected the path of a file'],
    ['an absolute path', { files_to_create: [{ path: '/etc/x' }] }, '$.files_to_create[0].path: expected'],
    [
      'a misspelt field',
      { files_to_modify: [{ path: 'a', purpose: 'x' }] },
      '$.files_to_modify[0].purpose: expected nothing',
    ],
    ['half of a JSON', '{"commands": ["make"', '$: expected JSON'],
    [
      'a line that is no entry',
      '# Plan\n\n## Commands\n\nmake',
      'line 5: expected an entry that begins with "- ", not "make"',
    ],
    ['a path with words', '# Plan\n## Tests\n- all of them', 'line 3 (tests.path): expected the path of a file'],
  ])('says where it is wrong: %s', (_what, written, says) => {
    expect(problemsOf(written)).toContain(says);
  });

  it('of anything at all is read or refused in words', () => {
    fc.assert(
      fc.property(fc.anything(), (written) => {
        const read = ofPlan(written);
        expect(read.kind === 'invalid' ? planProblemText(read.problems) !== '' : planIn(read.text) !== null).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});
