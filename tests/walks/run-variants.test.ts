import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder } from './attractor.ts';
import { HAS_TMUX, openTerminal, type Terminal } from './tmux.ts';

const reports = (outcome: string, payload: object = {}) => ({
  toolCalls: [{ name: 'report_outcome', args: { outcome, payload } }],
});
const runs = (command: string) => ({ toolCalls: [{ use: 'shell', command }] });
const writes = (file: string, content: string) => ({ toolCalls: [{ use: 'write', path: file, content }] });
const planned = (title: string, plan: object) => ({
  match: { firstUser: title },
  turns: [reports('plan_complete', { plan }), { text: 'Planned.' }],
});
const READY = [reports('pr_ready'), { text: 'Done.' }];

const JWT = [
  {
    match: { tool: 'edit_file', firstUser: 'Add JWT' },
    turns: [
      writes('auth/jwt.py', 'import jwt\n'),
      { toolCalls: [{ use: 'edit', path: 'api/routes.py', old: 'pass', new: 'check_token()' }] },
      runs('git add .'),
      runs("git commit -m 'Add JWT authentication'"),
      runs('git push origin main'),
      { expect: { toolResult: 'Not yet' }, ...reports('pr_ready') },
      { text: 'JWT authentication has been added. It was not pushed.' },
    ],
  },
  {
    match: { firstUser: 'library (Which library?): PyJWT' },
    turns: [
      reports('plan_complete', {
        clarified_query: 'Add JWT authentication with PyJWT; tokens are stored in Redis.',
        plan: {
          files_to_create: [{ path: 'auth/jwt.py', purpose: 'JWT token generation and validation' }],
          files_to_modify: [{ path: 'api/routes.py', changes: 'Add authentication middleware' }],
          tests: [{ path: 'tests/test_auth.py', coverage: 'Token generation' }],
        },
      }),
      { text: 'Over to you.' },
    ],
  },
  {
    match: { firstUser: 'Add JWT' },
    turns: [
      reports('needs_info', {
        questions: [
          { id: 'library', question: 'Which library?', inputType: 'choice', options: ['PyJWT', 'Authlib'] },
          { id: 'storage', question: 'Where are tokens stored?', options: ['memory'], suggested: 'Redis' },
        ],
      }),
      { text: 'I wait for that.' },
    ],
  },
];

const DOUBLE = {
  files_to_create: [{ path: 'double.sh', purpose: 'twice a number' }],
  tests: [{ path: 'double.test.sh', coverage: '2 becomes 4' }],
};
const TESTS_FIRST = [
  {
    match: { firstUser: 'This run writes the tests' },
    turns: [
      writes('double.sh', 'echo $(( $1 * 2 ))\n'),
      {
        expect: { toolResult: 'only tests are written' },
        ...writes('double.test.sh', 'test "$(sh double.sh 2)" = 4\n'),
      },
      ...READY,
    ],
  },
  {
    match: { tool: 'edit_file', firstUser: 'Double numbers' },
    turns: [writes('double.sh', 'echo $(( $1 * 2 ))\n'), ...READY],
  },
  planned('Double numbers', DOUBLE),
];

const IN_STAGES = [
  {
    match: { firstUser: 'This run is the first part' },
    turns: [
      { toolCalls: [{ use: 'edit', path: 'api/routes.py', old: 'pass', new: 'weeks()' }] },
      { expect: { toolResult: 'was there before' }, ...writes('api/weeks.py', 'def weeks(): pass\n') },
      ...READY,
    ],
  },
  {
    match: { firstUser: 'This run is the second part' },
    turns: [
      writes('api/more.py', 'more\n'),
      { expect: { toolResult: 'is new' }, toolCalls: [{ use: 'read', path: 'api/routes.py' }] },
      { toolCalls: [{ use: 'edit', path: 'api/routes.py', old: 'pass', new: 'weeks()' }] },
      ...READY,
    ],
  },
  {
    match: { firstUser: 'This run is the last part' },
    turns: [
      runs('touch left.txt'),
      { expect: { toolResult: 'only git runs' }, ...reports('pr_ready') },
      { text: 'Done.' },
    ],
  },
  planned('Accept weeks', {
    files_to_create: [{ path: 'api/weeks.py', purpose: 'weeks' }],
    files_to_modify: [{ path: 'api/routes.py', changes: 'use them' }],
  }),
];

async function makeWorld() {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(path.join(repository, 'api'), { recursive: true });
  writeFileSync(path.join(repository, 'api/routes.py'), 'pass\n');
  writeFileSync(
    path.join(repository, 'check.sh'),
    'for f in *.test.sh; do test ! -e "$f" || sh "$f" || exit 1; done\n',
  );
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript({ conversations: [...JWT, ...TESTS_FIRST, ...IN_STAGES] });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = [...model, '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const env = { HOME: home, ANTHROPIC_API_KEY: 'none' };
  return {
    git,
    failures: () => simulator.failures(),
    run: (...args: ReadonlyArray<string>): Terminal =>
      openTerminal(['run', ...args, ...flags], { cwd: repository, env }),
  };
}

describe.runIf(HAS_TMUX)('attractor run at a terminal', () => {
  test('from a request for JWT to the push that is refused; tests first; in stages', async () => {
    const { run, git, failures } = await makeWorld();
    const answers = async (terminal: Terminal, question: string, ...keys: ReadonlyArray<string>) => {
      await terminal.sees(question);
      terminal.press(...keys);
    };

    const jwt = run('Add JWT authentication to the API');
    await answers(jwt, 'Which library?', 'Enter');
    await jwt.sees('suggested');
    await answers(jwt, 'Where are tokens stored?', 'Enter');
    await jwt.sees('auth/jwt.py');
    await answers(jwt, 'Approve the plan', 'b');
    await jwt.sees('Approved, but');
    jwt.type('skip tests for now');
    jwt.press('Enter');
    await jwt.sees('git add .');
    await answers(jwt, 'Allow once', 'y');
    await jwt.sees("git commit -m 'Add JWT authentication'");
    await answers(jwt, 'Allow once', 'y');
    await jwt.sees('git push origin main');
    await answers(jwt, 'Allow once', 'n');
    await jwt.sees('Why not?');
    jwt.type('Not yet');
    jwt.press('Enter');
    await jwt.sees('Ready for review');
    await answers(jwt, 'Decide later', 'l');
    expect(await jwt.ended()).toBe(0);
    expect(jwt.screen()).toMatch(/done +1\. \[x\] Create auth\/jwt\.py: .* \(shown: auth\/jwt\.py was added\)/);
    expect(jwt.screen()).toMatch(/not done +3\. \[ \] Test in tests\/test_auth\.py/);
    expect(jwt.screen()).toMatch(/besides +git push origin main: not in the plan \(was refused by a person\)/);

    const tests = run('Double numbers', '--tdd', '--check', 'sh check.sh');
    await answers(tests, 'Approve the plan', 'y');
    await tests.sees('fails, as it has to before the work');
    await answers(tests, 'Review the tests, which fail', 'y');
    await tests.sees('Approve the commit: the tests pass');
    await answers(tests, 'Decide later', 'm');
    await tests.sees('main has it as ');
    expect(await tests.ended()).toBe(0);

    const stages = run('Accept weeks', '--stages');
    await answers(stages, 'Approve the plan', 'y');
    await answers(stages, 'Review the new files', 'y');
    await answers(stages, 'Review the changed files', 'y');
    await stages.sees('Approve the commits');
    await answers(stages, 'Decide later', 'y');
    await stages.sees('Accepted, not merged');
    expect(await stages.ended()).toBe(0);
    const branch = /branch\s+(agent\/\S+)/.exec(stages.screen())?.[1] ?? '';
    expect(git('diff', '--name-only', `main...${branch}`).trim().split('\n')).toEqual([
      'api/routes.py',
      'api/weeks.py',
    ]);
    expect(failures()).toEqual([]);
  });
});
