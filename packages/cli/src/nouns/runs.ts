import { defined } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import type { AgentRun } from '@attractor/platform';
import { type ApiClient, criterionLine, leftOf, type RunView, type StartRunBody } from '@attractor/api';
import { EXIT, type ExitCode, readableText } from '@attractor/console';
import {
  diffLines,
  costText,
  durationText,
  tokensText,
  queuedRuns,
  runLines,
  runTable,
  eventRow,
  facts,
  moreRows,
  tellLeft,
  print,
  transcriptLines,
  valueOf,
} from '@attractor/console/lines';
import { sayIfNobodyWorks } from '../verbs/nobody-works.ts';
import { noun } from '../verbs/noun.ts';
import { type Call, type LoneVerb, type Verb, verb } from '../verbs/verb.ts';
import { chosenSettings, RUN_SETTING_FLAGS } from './tasks/run-setting-flags.ts';

const ID = { name: '<id>', about: "the run's key or id" };
const STATUSES = ['running', 'completed', 'failed', 'cancelled', 'timeout'];

export const START_RUN = verb({
  name: 'start',
  summary: 'start an agent on a task',
  arguments: [{ name: '<task>', about: "the task's key or id" }],
  flags: [
    { flag: '--mode <mode>', about: 'what the agent should do (default: implement)', choices: RUN_MODES },
    { flag: '--from-scratch', about: 'take back what was done so far, by a new commit on its branch, and begin again' },
    { flag: '--agent <type>', about: 'the kind of agent; see `attractor agents`' },
    { flag: '--model <name>', about: 'the model' },
    { flag: '--provider <name>', about: 'the provider of the model' },
    { flag: '--max-turns <n>', about: 'at most this many turns of the agent', number: true },
    { flag: '--timeout <ms>', about: 'milliseconds for the whole run', number: true },
    ...RUN_SETTING_FLAGS,
  ],
  notes: 'If the pipeline has a transition into this mode, the task takes it; otherwise it stays in its status.',
  examples: [
    'runs start ATT-12 --mode plan',
    'runs start ATT-12 --from-scratch',
    'runs start ATT-12 --agent native --model claude-sonnet-4-5',
  ],
  call: async (call) => {
    const started = await call.client.tasks.startRun(call.arg(0), startBody(call));
    if (started.ok) await sayIfNobodyWorks(call, started.value.taskId);
    return started;
  },
  show: (run, { style }) => runLines(run, style),
});

export const STOP_RUN = verb({
  name: 'stop',
  summary: 'stop a run; its work so far is kept',
  arguments: [ID],
  examples: ['runs stop ATT-12.3'],
  call: ({ client, arg }) => client.runs.stop(arg(0)),
  show: (run, { style }) => runLines(run, style),
});

const EXPORT_RUN: Verb = {
  name: 'export',
  summary: 'write a run to one file, for people elsewhere',
  arguments: [ID],
  flags: [
    {
      flag: '-o, --output <file>',
      about: 'where to; - is stdout (default: named for the run, ATT-12.3.jsonl.gz, in this folder)',
    },
    { flag: '--with-base', about: 'the files of the base commit too, so that it can be run again anywhere' },
    { flag: '--force', about: 'replace an existing file' },
  ],
  notes:
    'The file has prompt, settings, events, transcript, diff, checks, artifacts, cost and versions, without secrets.\nIt is gzip of JSON lines: docs/run-bundle.md. A run that has not ended is written as it stands.',
  examples: [
    'runs export ATT-12.3',
    'runs export ATT-12.3 -o failed.jsonl.gz',
    'runs export ATT-12.3 -o - | zcat | jq .part',
  ],
  run: async (call) => (await import('../run-bundle/export-run.ts')).exportRun(call),
};

const REPLAY_RUN: LoneVerb = {
  name: 'replay',
  summary: 'show a run from its file, or run it again',
  arguments: [{ name: '<file>', about: 'what `runs export` wrote' }],
  flags: [
    { flag: '--diff', about: 'only the change, as a patch for `git apply`' },
    { flag: '--checks', about: 'only the checks, with their output' },
    { flag: '--prompt', about: 'only what the agent was told' },
    { flag: '--again', about: 'run it again on a scripted model that says the same, and compare' },
    { flag: '--repository <dir>', about: 'with --again: a repository that has the base commit (default: this folder)' },
    { flag: '--allow-unsandboxed', about: 'with --again: run commands on the machine itself, without a sandbox' },
  ],
  notes:
    'Needs no project, no server and no database. With --json: the lines of the file, or what --again found.\n--again runs the commands that the file names, in a sandbox and in a folder of its own. Exit code: 0 the same, 1 different.',
  examples: [
    'runs replay ATT-12.3.jsonl.gz',
    'runs replay failed.jsonl.gz --diff | git apply',
    'runs replay failed.jsonl.gz --again',
  ],
  runAlone: async (call) => (await import('../run-bundle/replay-run.ts')).replayRun(call),
};

const RUN_VERBS: ReadonlyArray<Verb | LoneVerb> = [
  {
    name: 'list',
    summary: 'list runs, the newest first',
    flags: [
      { flag: '--task <id>', about: 'only of this task' },
      { flag: '--status <status>', about: 'only in this status', choices: STATUSES },
      { flag: '--limit <n>', about: 'at most so many (default 50)', number: true },
      { flag: '--before <id>', about: 'the last run of the page before' },
      { flag: '--all', about: 'of every project' },
    ],
    examples: ['runs list', 'runs list --status running --all', 'runs list --task ATT-12 --json'],
    run: list,
  },
  {
    name: 'get',
    alias: 'show',
    summary: 'show a run',
    arguments: [ID],
    examples: ['runs get ATT-12.3', 'runs get ATT-12.3 --json'],
    run: async ({ client, arg, output, style }) => {
      const run = valueOf(await client.runs.get(arg(0)));
      const judged = output.mode === 'people' ? await criteriaOfRun(client, run) : [];
      await print(output, { value: run, lines: () => [...runLines(run, style), ...judged] });
      return EXIT.done;
    },
  },
  START_RUN,
  STOP_RUN,
  {
    name: 'watch',
    summary: 'follow a run live until it ends',
    arguments: [ID],
    notes:
      'Exit code: 0 completed, 1 failed, cancelled or timed out, 130 left with Ctrl-C (the run continues). With --json: its\nevents, and the run itself as the last line.',
    examples: ['runs watch ATT-12.3', 'runs watch ATT-12.3 --json'],
    run: async (call) => (await import('../follow/watch.ts')).watchRun(call, call.arg(0)),
  },
  {
    name: 'logs',
    summary: 'show what a run logged',
    arguments: [ID],
    flags: [{ flag: '--level <names>', about: 'only these levels: debug, info, warning, error (with commas)' }],
    examples: ['runs logs ATT-12.3', 'runs logs ATT-12.3 --level warning,error --json'],
    run: logs,
  },
  verb({
    name: 'transcript',
    summary: 'show what the agent said and did',
    arguments: [ID],
    examples: ['runs transcript ATT-12.3', 'runs transcript ATT-12.3 --json'],
    call: async ({ client, arg }) => {
      const view = await client.runs.view(arg(0));
      return view.ok ? { ok: true as const, value: view.value.turns } : view;
    },
    ids: () => [],
    show: (turns, { style }) => transcriptLines(turns, style),
  }),
  verb({
    name: 'diff',
    summary: 'show what a run changed',
    arguments: [ID],
    flags: [{ flag: '--stat', about: 'only files and counts' }],
    examples: ['runs diff ATT-12.3', 'runs diff ATT-12.3 --stat'],
    call: ({ client, arg }) => client.runs.diff(arg(0)),
    ids: ({ files }) => files.map(({ path }) => path),
    show: (diff, { style, flags }) => diffLines(diff, { style, isShort: flags.has('stat') }),
  }),
  verb({
    name: 'cost',
    summary: 'show what a run used and cost',
    arguments: [ID],
    examples: ['runs cost ATT-12.3', 'runs cost ATT-12.3 --json'],
    call: async ({ client, arg }) => {
      const view = await client.runs.view(arg(0));
      return view.ok ? { ok: true as const, value: costOf(arg(0), view.value) } : view;
    },
    ids: ({ runId }) => [runId],
    show: ({ spent, durationMs, model }, { style }) =>
      facts(
        [
          ['cost', costText(spent.costUsd)],
          ['model', model],
          ['in', tokensText(spent.inputTokens)],
          ['from cache', tokensText(spent.cacheReadTokens)],
          ['to cache', tokensText(spent.cacheWriteTokens)],
          ['out', tokensText(spent.outputTokens)],
          ['time', durationText(durationMs)],
        ],
        style,
      ),
  }),
  EXPORT_RUN,
  REPLAY_RUN,
];

function costOf(runId: string, { run, spent }: RunView) {
  return { runId, model: run?.model ?? null, durationMs: run?.durationMs ?? null, spent };
}

async function list(call: Call): Promise<ExitCode> {
  const answer = await call.client.runs.list(await runQuery(call));
  const value = valueOf(answer).toReversed();
  const queued = call.output.mode === 'people' ? await queuedRuns(call.client, value) : new Set<string>();
  await print(call.output, { value, lines: () => runTable(value, { style: call.style, queued }) });
  const left = leftOf(answer);
  const how = `${moreRows(value.length, left)}, or --before ${value.at(-1)?.key ?? ''} for the next page`;
  tellLeft(call, { left, how });
  return EXIT.done;
}

async function runQuery({ flags, projectIfAny }: Call) {
  const taskId = flags.text('task');
  const status = STATUSES.find((known): known is AgentRun['status'] => known === flags.text('status'));
  const projectId = flags.has('all') || taskId !== undefined ? null : await projectIfAny();
  return {
    ...defined({ taskId, status, before: flags.text('before') }),
    limit: flags.number('limit') ?? 50,
    ...(projectId === null ? {} : { projectId }),
  };
}

function startBody(call: Call): StartRunBody {
  const { flags } = call;
  const [agentType, model, provider] = [flags.text('agent'), flags.text('model'), flags.text('provider')];
  const [maxTurns, timeout] = [flags.number('maxTurns'), flags.number('timeout')];
  const mode = RUN_MODES.find((known): known is StartRunBody['mode'] => known === flags.text('mode')) ?? 'implement';
  const overrides = defined({ agentType, model, provider, maxTurns, timeout, ...chosenSettings(call) });
  const fresh = flags.has('fromScratch') ? ({ from: 'scratch' } as const) : {};
  return { mode, along: 'pipeline', ...fresh, ...(Object.keys(overrides).length === 0 ? {} : { overrides }) };
}

const PAGE = 1000;

/** Page by page, so that a long log needs little memory. */
async function logs(call: Call) {
  const { client, flags, output, style } = call;
  const runId = call.arg(0);
  valueOf(await client.runs.get(runId));
  const level = flags.text('level');
  for (let after = 0; ;) {
    const query = { runId, after, limit: PAGE, ...defined({ level }) };
    const events = valueOf(await client.events.page(query));
    await print(output, { value: events, lines: () => events.map((event) => eventRow(event, style)) });
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return EXIT.done;
    after = last.seq;
  }
}

/** The acceptance criteria that this run was the last to claim. */
async function criteriaOfRun(client: ApiClient, { id, taskId }: AgentRun): Promise<ReadonlyArray<string>> {
  const criteria = await client.criteria.list(taskId);
  const own = criteria.ok ? criteria.value.filter(({ claim }) => claim?.runId === id) : [];
  return own.length === 0 ? [] : ['', 'Criteria', ...own.map((one) => `  ${readableText(criterionLine(one))}`)];
}

export const define = noun({
  description: 'Runs of agents: what each did, is doing, and cost.',
  verbs: RUN_VERBS,
});
