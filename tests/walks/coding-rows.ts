import type { ApproveCodingBody, CodingSession, StartCodingBody } from '@attractor/api';

/** What a session waits for, and what is then done about it by a process that did not ask. */
export type Checkpoint = {
  /** Of the pending action. */
  readonly type: string;
  /** Text in its title, command or path. */
  readonly about?: string;
  readonly act: { readonly answer: (asked: Asked) => ApproveCodingBody } | { readonly rollBack: ReadonlyArray<string> };
};

type Asked = { readonly plan: CodingSession['plan']; readonly content_hash: string };

/** A request on its way to a change: what the model does, every checkpoint in order, and what is left in the end. */
export type CodingRow = {
  readonly start: StartCodingBody;
  /** What proves the work. Commands are no part of a call over HTTP: whoever may run them here begins the session. */
  readonly check?: string;
  readonly conversations: ReadonlyArray<object>;
  readonly checkpoints: ReadonlyArray<Checkpoint>;
  readonly stage: CodingSession['stage'];
  readonly done: ReadonlyArray<Partial<CodingSession['completed_actions'][number]>>;
  /** The files in which its branch differs from the base. */
  readonly changed: ReadonlyArray<string>;
};

const reports = (outcome: string, payload: object = {}) => ({
  toolCalls: [{ name: 'report_outcome', args: { outcome, payload } }],
});
const runs = (command: string) => ({ toolCalls: [{ use: 'shell', command }] });
const writes = (file: string, content: string) => ({ toolCalls: [{ use: 'write', path: file, content }] });
const edits = (old: string) => ({ toolCalls: [{ use: 'edit', path: 'api/routes.py', old, new: `${old}()` }] });
const READS = { toolCalls: [{ use: 'read', path: 'api/routes.py' }] };
const READY = [reports('pr_ready'), { text: 'Done.' }];
const planned = (title: string, plan: object) => ({
  match: { firstUser: title },
  turns: [reports('plan_complete', { plan }), { text: 'Planned.' }],
});
const works = (firstUser: string, ...turns: ReadonlyArray<object>) => ({
  match: { tool: 'edit_file', firstUser },
  turns: [...turns, ...READY],
});
const after = (toolResult: string, turn: object) => ({ expect: { toolResult: { contains: toolResult } }, ...turn });

const answers = (type: string, answer: (asked: Asked) => ApproveCodingBody, about?: string): Checkpoint => ({
  type,
  ...(about === undefined ? {} : { about }),
  act: { answer },
});
const approvesShown = ({ content_hash }: Asked): ApproveCodingBody => ({ decision: 'approve', content_hash });
const PLAN_APPROVED = answers('plan_approval', ({ plan }) => ({ approved_plan: { ...plan } }));
const approved = (title: string) => answers('review', approvesShown, title);
const denied = (command: string, message: string) =>
  answers('run_command', () => ({ decision: 'reject', message }), command);

const JWT: CodingRow = {
  start: { request: 'Add JWT authentication to the API' },
  conversations: [
    works(
      'Add JWT',
      writes('auth/jwt.py', 'import jwt\n'),
      runs("git add . && git commit -m 'Add JWT authentication'"),
      runs('git push origin main'),
      after('not yet', { text: 'It is not pushed.', ...reports('pr_ready') }),
    ),
    {
      match: { firstUser: 'library (Which library?): PyJWT' },
      turns: [
        reports('plan_complete', {
          clarified_query: 'Add JWT authentication with PyJWT.',
          plan: { files_to_create: [{ path: 'auth/jwt.py', purpose: 'tokens' }], commands: ['git push origin main'] },
        }),
        { text: 'Planned.' },
      ],
    },
    {
      match: { firstUser: 'Add JWT' },
      turns: [
        reports('needs_info', {
          questions: [{ id: 'library', question: 'Which library?', options: ['PyJWT', 'jose'] }],
        }),
        { text: 'Asked.' },
      ],
    },
  ],
  checkpoints: [
    answers('clarification', () => ({ answers: { library: 'PyJWT' } })),
    PLAN_APPROVED,
    answers('run_command', approvesShown, 'git add .'),
    denied('git push origin main', 'not yet'),
    approved('Review'),
  ],
  stage: 'completed',
  done: [
    { action: 'create_file', path: 'auth/jwt.py', status: 'success' },
    { action: 'run_command', status: 'success' },
    { action: 'run_command', command: 'git push origin main', status: 'rejected' },
  ],
  changed: ['auth/jwt.py'],
};

const EDITED: CodingRow = {
  start: { request: 'Name the weeks' },
  conversations: [
    works(
      'Carefully write weeks.py',
      writes('weeks.py', 'weeks\n'),
      runs('touch /tmp/not-here'),
      after('use the check', reports('pr_ready')),
    ),
    {
      match: { firstUser: 'Name the weeks' },
      turns: [{ text: 'Quickly write weeks.py', ...reports('plan_complete') }, { text: 'Planned.' }],
    },
  ],
  checkpoints: [
    answers('plan_approval', ({ plan }) => ({
      approved_plan: { text: plan?.text.replace('Quickly', 'Carefully') ?? '' },
    })),
    denied('touch /tmp/not-here', 'use the check'),
    approved('Review'),
  ],
  stage: 'completed',
  done: [
    { action: 'create_file', path: 'weeks.py', status: 'success' },
    { action: 'run_command', command: 'touch /tmp/not-here', status: 'rejected' },
  ],
  changed: ['weeks.py'],
};

const REJECTED: CodingRow = {
  start: { request: 'Drop the tables' },
  conversations: [planned('Drop the tables', { commands: ['dropdb main'] })],
  checkpoints: [answers('plan_approval', () => ({ decision: 'reject', message: 'They are in use' }))],
  stage: 'cancelled',
  done: [],
  changed: [],
};

const ROLLED_BACK: CodingRow = {
  start: { request: 'Count the months' },
  conversations: [
    works('Count the months', writes('months.py', 'months\n'), writes('left.py', 'left\n')),
    planned('Count the months', { files_to_create: [{ path: 'months.py', purpose: 'months' }] }),
  ],
  checkpoints: [PLAN_APPROVED, { type: 'review', act: { rollBack: ['left.py'] } }, approved('Review')],
  stage: 'completed',
  done: [
    { action: 'create_file', path: 'months.py', status: 'success' },
    { action: 'create_file', path: 'left.py', status: 'success' },
    { action: 'rollback', status: 'success' },
  ],
  changed: ['months.py'],
};

const TESTS_FIRST: CodingRow = {
  start: { request: 'Double numbers', pipeline: 'coding-tdd' },
  check: 'sh check.sh',
  conversations: [
    {
      match: { firstUser: 'This run writes the tests' },
      turns: [
        writes('double.sh', 'echo $(( $1 * 2 ))\n'),
        after('only tests are written', writes('double.test.sh', 'test "$(sh double.sh 2)" = 4\n')),
        ...READY,
      ],
    },
    works('Double numbers', writes('double.sh', 'echo $(( $1 * 2 ))\n')),
    planned('Double numbers', {
      files_to_create: [{ path: 'double.sh', purpose: 'twice a number' }],
      tests: [{ path: 'double.test.sh', coverage: '2 becomes 4' }],
    }),
  ],
  checkpoints: [
    PLAN_APPROVED,
    approved('Review the tests, which fail'),
    approved('Approve the commit: the tests pass'),
  ],
  stage: 'completed',
  done: [
    { action: 'create_file', path: 'double.sh', status: 'error' },
    { action: 'create_file', path: 'double.test.sh', status: 'success' },
    { action: 'create_file', path: 'double.sh', status: 'success' },
  ],
  changed: ['double.sh', 'double.test.sh'],
};

const IN_STAGES: CodingRow = {
  start: { request: 'Accept years', pipeline: 'coding-stages' },
  conversations: [
    {
      match: { firstUser: 'This run is the first part' },
      turns: [edits('pass'), after('was there before', writes('api/years.py', 'years\n')), ...READY],
    },
    {
      match: { firstUser: 'This run is the second part' },
      turns: [writes('api/more.py', 'more\n'), after('is new', READS), edits('pass'), ...READY],
    },
    {
      match: { firstUser: 'This run is the last part' },
      turns: [runs('touch left.txt'), after('only git runs', reports('pr_ready')), { text: 'Done.' }],
    },
    planned('Accept years', {
      files_to_create: [{ path: 'api/years.py', purpose: 'years' }],
      files_to_modify: [{ path: 'api/routes.py', changes: 'use them' }],
    }),
  ],
  checkpoints: [
    PLAN_APPROVED,
    approved('Review the new files'),
    approved('Review the changed files'),
    approved('Approve the commits'),
  ],
  stage: 'completed',
  done: [
    { action: 'modify_file', path: 'api/routes.py', status: 'error' },
    { action: 'create_file', path: 'api/years.py', status: 'success' },
    { action: 'create_file', path: 'api/more.py', status: 'error' },
    { action: 'modify_file', path: 'api/routes.py', status: 'success' },
    { action: 'run_command', command: 'touch left.txt', status: 'error' },
  ],
  changed: ['api/routes.py', 'api/years.py'],
};

export const CODING_ROWS: ReadonlyArray<CodingRow> = [JWT, EDITED, REJECTED, ROLLED_BACK, TESTS_FIRST, IN_STAGES];
