import type { AgentRun, CheckResult, Task } from '@attractor/platform';
import { newProject, newPrompt, newRun, newTask, type MemoryWorkflow } from './memory-workflow.ts';

const STEPS = [
  'prepare',
  'context',
  'configure',
  'execute',
  'monitor',
  'parse',
  'validate',
  'artifacts',
  'trigger',
  'cleanup',
];

const PLAN = `# Plan

1. **Read** \`src/slugify.js\` and its tests to see what is expected.
2. **Handle accents**: normalise to NFKD and drop the marks, so that *Crème brûlée* becomes \`creme-brulee\`.
3. **Collapse separators**: several spaces, dashes and underscores become one dash.
4. Run \`node --test\`; nothing else changes.

\`\`\`js
export function slugify(text) {
  return text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();
}
\`\`\`

| file | change |
|---|---|
| \`src/slugify.js\` | +4 −1 |
| \`README.md\` | one sentence |
`;

/** Writes one run's events into the log, as the platform writes them. */
export function tellRun(workflow: MemoryWorkflow, run: AgentRun) {
  let piece = 0;
  let clock = Date.parse(run.startedAt);
  const at = (ms: number) => new Date((clock += ms)).toISOString();
  const event = (type: string, summary: string, data: Readonly<Record<string, unknown>>, ms = 400) =>
    workflow.append({ type, summary, data, taskId: run.taskId, runId: run.id, category: 'agent', at: at(ms) });
  const message = (body: Readonly<Record<string, unknown>>, ms = 900) =>
    event('agent.message', '', { message: { key: `${run.id}-${(piece += 1)}`, ...body } }, ms);
  return {
    start: () => event('agent.started', `${run.mode} run started`, { run }),
    begin: (step: string) => event('run.step_started', `Step ${step} started`, { step }),
    finish: (step: string, ms = 300) => event('run.step_finished', `Step ${step} finished`, { step }, ms),
    steps: (from: number, to: number) => {
      for (const step of STEPS.slice(from, to)) {
        event('run.step_started', `Step ${step} started`, { step });
        event('run.step_finished', `Step ${step} finished`, { step }, 300 + step.length * 97);
      }
    },
    message,
    tool: (name: string, input: object, output: string, isError = false) => {
      const toolCallId = `call_${piece}`;
      message({ kind: 'tool_call', toolCallId, toolName: name, input });
      return () => message({ kind: 'tool_result', toolCallId, toolName: name, output, isError }, 1300);
    },
    usage: (inputTokens: number, outputTokens: number, costUsd: number | null) =>
      message(
        {
          kind: 'usage',
          model: run.model,
          usage: { inputTokens, outputTokens, totalTokens: 0, cacheReadTokens: Math.floor(inputTokens * 0.7) },
          costUsd,
        },
        50,
      ),
    check: (check: CheckResult) =>
      event('run.check_finished', `Check ${check.name} on ${check.phase}`, { check }, check.durationMs),
    end: (over: Partial<AgentRun>) =>
      event(`agent.${over.status ?? 'completed'}`, `Run ${over.status ?? 'completed'}`, {
        run: { ...run, status: 'completed', finishedAt: at(10), ...over },
      }),
  };
}

function check(phase: 'base' | 'branch', passed: boolean): CheckResult {
  return {
    name: 'test',
    command: 'node --test',
    phase,
    commit: phase === 'base' ? '4be1c0ffee1234' : '9d2fa71e55aa01',
    passed,
    exitCode: passed ? 0 : 1,
    severity: 'error',
    durationMs: 742,
    output: passed
      ? '\u001b[32m✔\u001b[39m keeps plain words (0.4ms)\n✔ drops accents (0.2ms)\nℹ tests 6\nℹ pass 6\nℹ fail 0'
      : "✖ drops accents (1.1ms)\n  AssertionError: 'cr-me-br-l-e' !== 'creme-brulee'\nℹ tests 6\nℹ pass 4\nℹ fail 2",
  };
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Tasks in every state, with realistic texts, hostile ones among them. */
export function fillSampleWorld(workflow: MemoryWorkflow): { readonly running: AgentRun; readonly waiting: Task } {
  const project = { ...newProject('/srv/slugs'), name: 'slugs' };
  workflow.append({ type: 'project.created', summary: 'Project slugs', data: { project } });
  const add = (id: Task['id'], title: string, status: string, minutes: number, more: Partial<Task> = {}) => {
    const task = newTask({ id, title, status, createdAt: ago(minutes), ...more });
    workflow.append({
      type: 'task.created',
      summary: `Task created: ${title}`,
      taskId: id,
      data: { task: { ...task, status: 'open' } },
      at: ago(minutes),
      actor: { type: 'user', name: 'ada' },
    });
    if (status !== 'open')
      workflow.append({
        type: 'status.changed',
        category: 'transition',
        summary: `open → ${status}`,
        taskId: id,
        data: { task },
        at: ago(minutes - 0.2),
      });
    return task;
  };
  add('tsk_7', 'Document the public API in the README', 'open', 3);
  add('tsk_6', 'Drop support for Node 18', 'open', 12);
  failedTask(workflow, add('tsk_5', 'Publish types for the CLI <img src=x onerror=alert(1)>', 'failed', 95));
  reviewTask(
    workflow,
    add('tsk_1', 'Slugs of accented words lose letters', 'pr_review', 61, {
      plan: PLAN,
      description: 'Crème brûlée must become `creme-brulee`. The test suite has the cases.',
    }),
  );
  doneTask(workflow, add('tsk_2', 'Bump the license year', 'done', 60 * 26));
  const waiting = add('tsk_4', 'Keep case when asked to', 'plan_review', 9, { plan: PLAN });
  planTask(workflow, waiting);
  const toolWait = add('tsk_8', 'Measure slugify on 100,000 titles', 'implementing', 6);
  toolTask(workflow, toolWait);
  const running = runningTask(
    workflow,
    add('tsk_3', 'Collapse repeated separators', 'implementing', 2, { plan: PLAN }),
  );
  return { running, waiting };
}

function reviewTask(workflow: MemoryWorkflow, task: Task): void {
  const run = newRun({ id: 'run_1', taskId: task.id, startedAt: ago(50), branch: 'agent/slugs-of-accented-words' });
  const tell = tellRun(workflow, run);
  tell.start();
  tell.steps(0, 3);
  tell.begin('execute');
  tell.message({
    kind: 'thinking',
    text: 'The tests name the cases. First look at what is there, then make the smallest change.',
  });
  tell.message({ kind: 'text', text: 'I will look at the function and at its tests.' });
  const read = tell.tool(
    'read_file',
    { path: 'src/slugify.js' },
    "1\texport function slugify(text) {\n2\t  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');\n3\t}",
  );
  const grep = tell.tool(
    'grep',
    { pattern: 'slugify\\(', path: 'test' },
    'test/slugify.test.js:5: slugify("Crème brûlée")',
  );
  tell.usage(5210, 230, 0.0191);
  read();
  grep();
  tell.message({
    kind: 'text',
    text: 'The accented letters fall to the `[^a-z0-9]` class. Normalising first keeps their base letters:\n\n```js\ntext.normalize("NFKD").replace(/\\p{M}/gu, "")\n```',
  });
  const edit = tell.tool(
    'edit_file',
    {
      path: 'src/slugify.js',
      old_string: 'text.toLowerCase()',
      new_string: "text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase()",
    },
    'Replaced 1 occurrence in src/slugify.js',
  );
  tell.usage(5880, 310, 0.0205);
  edit();
  const shell = tell.tool('shell', { command: 'node --test' }, 'ℹ tests 6\nℹ pass 6\nℹ fail 0');
  tell.usage(6410, 96, 0.0168);
  shell();
  tell.message({ kind: 'text', text: 'All six tests pass. The change is one line in `src/slugify.js`.' });
  tell.usage(6600, 60, 0.011);
  tell.finish('execute', 200);
  tell.steps(4, 6);
  tell.begin('validate');
  tell.check(check('base', false));
  tell.check(check('branch', true));
  tell.finish('validate');
  const artifact = (id: string, type: string, label: string, metadata: object) =>
    workflow.append({
      type: 'artifact.added',
      summary: `${type} ${label}`,
      taskId: task.id,
      runId: run.id,
      category: 'git',
      data: {
        artifact: {
          id,
          key: id,
          taskId: task.id,
          runId: run.id,
          phaseId: null,
          type,
          label,
          url: null,
          content: null,
          filePath: null,
          createdBy: 'agent',
          metadata,
          createdAt: ago(46),
        },
      },
      at: ago(46),
    });
  artifact('art_1', 'branch', 'agent/slugs-of-accented-words', {
    branchName: 'agent/slugs-of-accented-words',
    baseBranch: 'main',
  });
  artifact('art_2', 'commit', 'Keep base letters of accented words', { hash: '9d2fa71e55aa01', author: 'Attractor' });
  artifact('art_3', 'diff', '1 file changed', { filesChanged: 1, additions: 1, deletions: 1 });
  tell.steps(7, 10);
  tell.end({
    outcome: 'pr_ready',
    tokenUsage: { inputTokens: 24_100, outputTokens: 696, cacheReadTokens: 16_870, totalCost: 0.0674 },
  });
}

/** Every way a model, a tool or a repository may try to become part of the page or to reach out of it. */
const HOSTILE = [
  'Hostile: <script>alert(1)</script>',
  '![x](https://evil.test/a.png)',
  '[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>)',
  '<img src="https://evil.test/b.png" onerror="alert(1)">',
  '<style>@import url(https://evil.test/c.css)</style><link rel=stylesheet href=https://evil.test/d.css>',
  '<iframe src="https://evil.test/e"></iframe><svg onload=alert(1)></svg>',
  '![ref][leak]\n\n[leak]: https://evil.test/f.png',
  '```mermaid\ngraph LR; A[<img src=https://evil.test/g.png>]\n```',
  '```html\n<img src="https://evil.test/h.png" onerror="alert(1)">\n```',
  '<a href="https://evil.test/i" ping="https://evil.test/j">link</a> <form action="https://evil.test/k"><input autofocus onfocus=alert(1)></form>',
  '$$\\href{javascript:alert(1)}{x}$$ <math><mtext></mtext></math> <base href="https://evil.test/">',
].join('\n\n');

function failedTask(workflow: MemoryWorkflow, task: Task): void {
  const branch = 'agent/<img src=x onerror=alert(1)>';
  const run = newRun({ id: 'run_5', taskId: task.id, startedAt: ago(90), branch, model: '<b>model</b>' });
  const tell = tellRun(workflow, run);
  tell.start();
  tell.steps(0, 3);
  tell.begin('execute');
  tell.message({ kind: 'thinking', text: HOSTILE });
  tell.message({ kind: 'text', text: HOSTILE });
  tell.tool('<u>shell</u>', { command: 'cat "<img src=x onerror=alert(1)>.svg"', [HOSTILE]: HOSTILE }, HOSTILE)();
  tell.check({ ...check('branch', false), name: '<i>check</i>', command: HOSTILE, output: HOSTILE });
  tell.message({ kind: 'notice', level: 'error', text: `The model refused the key. ${HOSTILE}` });
  tell.steps(9, 10);
  tell.end({
    status: 'failed',
    outcome: '<s>no</s>',
    error: `The provider answered 401: check ANTHROPIC_API_KEY. ${HOSTILE}`,
  });
}

function doneTask(workflow: MemoryWorkflow, task: Task): void {
  const tell = tellRun(
    workflow,
    newRun({ id: 'run_2', taskId: task.id, startedAt: ago(60 * 26 - 1), model: 'local-model' }),
  );
  tell.start();
  tell.steps(0, 6);
  tell.check(check('branch', true));
  tell.steps(6, 10);
  tell.end({ outcome: 'pr_ready', tokenUsage: { inputTokens: 900, outputTokens: 80, totalCost: null } });
}

function planTask(workflow: MemoryWorkflow, task: Task): void {
  const run = newRun({ id: 'run_4', taskId: task.id, mode: 'plan', startedAt: ago(8) });
  const tell = tellRun(workflow, run);
  tell.start();
  tell.steps(0, 10);
  tell.end({ outcome: 'plan_complete', tokenUsage: { inputTokens: 4100, outputTokens: 610, totalCost: 0.021 } });
  const prompt = newPrompt({
    id: 'prm_1',
    taskId: task.id,
    runId: run.id,
    type: 'plan_approval',
    title: 'Approve the plan',
    payload: { plan: PLAN },
    contentHash: 'plan-hash',
    createdAt: ago(5),
  });
  workflow.append({
    type: 'prompt.created',
    category: 'payload',
    summary: 'Waiting for a person: Approve the plan',
    taskId: task.id,
    runId: run.id,
    data: { prompt },
    at: ago(5),
  });
}

function toolTask(workflow: MemoryWorkflow, task: Task): void {
  const run = newRun({ id: 'run_8', taskId: task.id, startedAt: ago(4), branch: 'agent/measure-slugify' });
  const tell = tellRun(workflow, run);
  tell.start();
  tell.steps(0, 3);
  tell.begin('execute');
  tell.message({ kind: 'text', text: 'I need a benchmark; I will run it three times.' });
  tell.tool('shell', { command: 'for i in 1 2 3; do node bench/slugify.js --titles 100000; done' }, '');
  tell.usage(3100, 120, 0.0111);
  const prompt = newPrompt({
    id: 'prm_2',
    taskId: task.id,
    runId: run.id,
    type: 'tool_approval',
    title: 'Allow a shell command',
    payload: {
      toolCallId: 'call_1',
      toolName: 'shell',
      input: {
        command: 'for i in 1 2 3; do node bench/slugify.js --titles 100000; done\nrm -rf /tmp/bench\u202e # tidy',
        timeout_ms: 60_000,
      },
      suggestions: [
        { rules: ['Bash(node bench/slugify.js:*)'], destination: 'session', file: null },
        {
          rules: ['Bash(node bench/slugify.js:*)'],
          destination: 'userSettings',
          file: '/home/ada/.attractor/config.json',
        },
      ],
    },
    contentHash: 'tool-hash',
    createdAt: ago(3),
  });
  workflow.append({
    type: 'prompt.created',
    category: 'payload',
    summary: 'Waiting for a person: Allow a shell command',
    taskId: task.id,
    runId: run.id,
    data: { prompt },
    at: ago(3),
  });
}

function runningTask(workflow: MemoryWorkflow, task: Task): AgentRun {
  const run = newRun({
    id: 'run_3',
    taskId: task.id,
    startedAt: ago(1.4),
    branch: 'agent/collapse-repeated-separators',
    model: 'claude-sonnet-4-5',
  });
  const tell = tellRun(workflow, run);
  tell.start();
  tell.steps(0, 3);
  tell.begin('execute');
  tell.message({ kind: 'thinking', text: 'Separators are collapsed by the same class; underscores are not in it.' });
  tell.message({ kind: 'text', text: 'Let me see which separators the tests expect.' });
  const read = tell.tool(
    'read_file',
    { path: 'test/slugify.test.js' },
    "5\tassert.equal(slugify('a  b__c--d'), 'a-b-c-d');",
  );
  tell.usage(4800, 190, 0.0172);
  read();
  tell.message({ kind: 'text', text: 'Underscores count as separators too. I add them to the class.' });
  tell.tool('shell', { command: 'node --test --test-reporter=spec' }, '');
  tell.usage(5300, 140, 0.0186);
  return run;
}
