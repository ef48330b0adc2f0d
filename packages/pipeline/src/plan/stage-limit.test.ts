import type { Plan } from '@attractor/store';
import { expect, it } from 'vitest';
import { stageLimit } from './stage-limit.ts';
import { STAGES } from './stages.ts';
import { isTestFile } from './test-files.ts';

const PLAN = { tests: [{ path: 'checks/weeks.sh', coverage: 'weeks' }] } as unknown as Plan;
const FILES = { base: ['src/a.ts', 'readme.md'], start: ['src/a.ts', 'readme.md', 'src/new.ts'], plan: PLAN };

it('each stage lets through its own files and says of others why not', () => {
  const may = (stage: string, ...paths: ReadonlyArray<string>) =>
    paths.filter((path) => STAGES[stage] !== undefined && stageLimit(STAGES[stage], FILES).refuses(path) === null);
  const all = ['src/a.ts', 'src', 'src/new.ts', 'lib/b.ts', 'lib', 'tests/a.ts', 'checks/weeks.sh'];
  expect(may('create', ...all)).toEqual(['src/new.ts', 'lib/b.ts', 'lib', 'tests/a.ts', 'checks/weeks.sh']);
  expect(may('modify', ...all)).toEqual(['src/a.ts', 'src', 'src/new.ts']);
  expect(may('tests', ...all)).toEqual(['tests/a.ts', 'checks/weeks.sh']);
  expect(may('git', ...all)).toEqual([]);
  const [git, create] = ['git', 'create'].map((name) => STAGES[name] && stageLimit(STAGES[name], FILES));
  expect(git?.programs?.names).toEqual(['git']);
  expect(create?.refuses('src/a.ts')).toContain('src/a.ts was there before');
});

it.each([
  'src/parser.test.ts',
  'src/parser.spec.js',
  'test_parser.py',
  'pkg/parser_test.go',
  'src/test/java/Parser.java',
  'ParserTest.java',
  'tests/fixtures/week.json',
  'conftest.py',
  'double.test.sh',
  '__tests__/a.js',
  'spec/models/user_spec.rb',
])('%s is a test', (path) => expect(isTestFile(path)).toBe(true));

it.each(['src/parser.ts', 'latest.ts', 'contest.py', 'attestation/key.ts', 'package.json', 'src/inspect.ts'])(
  '%s is none',
  (path) => expect(isTestFile(path)).toBe(false),
);
