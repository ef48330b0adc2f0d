import { createWriteStream, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@attractor/base';
import { type Bundle, compareRuns, openBundle, restoreBase, restoreStart, scriptOfRun } from '@attractor/bundle';
import { makerOf, SERVICES } from '@attractor/llm';
import type { AgentRun, PlatformWorkflow } from '@attractor/platform';
import { composeWorker } from '@attractor/server';
import { parseScript, startSimulator } from '@attractor/simulator';
import { CommandFailure, EXIT, type ExitCode, unwrap, readableText, putText, catchStop } from '@attractor/console';
import { showWork } from '../show-work.ts';
import { ensureProject } from '../follow/carry-out.ts';
import { sandboxOptions } from '../sandbox-flag.ts';
import { followRun } from '../task-run/follow-run.ts';
import { print } from '@attractor/console/lines';
import type { LoneCall } from '../verbs/verb.ts';
import { outcomesPipeline } from './outcomes-pipeline.ts';
import { type RecordedRun, recordedRun } from './recorded-run.ts';

const ACTOR = { type: 'user', name: 'replay' } as const;

/** The same run once more: the same base, a model that says the same, and a home that is gone afterwards. */
export async function runAgain(call: LoneCall, bundle: Bundle): Promise<ExitCode> {
  const recorded = await recordedRun(bundle);
  refuseUnlessOurs(recorded);
  const scripted = unwrap(scriptOfRun(recorded.journals, { ...recorded, worktree: recorded.run.worktree }));
  const sandbox = await sandboxOptions({
    flags: { allowUnsandboxed: call.flags.has('allowUnsandboxed') },
    attended: false,
  });
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'attractor-replay-')));
  try {
    const repository = join(folder, 'repository');
    const from = resolve(call.flags.text('repository') ?? '.');
    const isShown = call.output.mode === 'people';
    const { notes } = unwrap(
      await showWork({ doing: 'restoring the base', isShown }, () =>
        restoreBase(bundle, { folder: repository, repository: from }),
      ),
    );
    const again = await walk({ recorded, bundle, folder, repository, scripted, sandbox });
    const differences = await showWork({ doing: 'comparing', isShown }, () => compareRuns(bundle, again.bundle));
    const said = [...notes, ...(scripted.hasMasks ? ['Secrets are masked in what the model said.'] : [])];
    await show(call, { runId: recorded.run.id, differences, notes: said });
    if (again.exitCode !== EXIT.done) return again.exitCode;
    return differences.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseUnlessOurs({ run }: RecordedRun): void {
  if (run.agentType !== 'native')
    throw new CommandFailure(
      `this run can't be run again: the agent ${readableText(run.agentType)} is a program of its own, and its output can't be used as a script`,
      EXIT.refused,
    );
}

type Walk = {
  readonly recorded: RecordedRun;
  readonly bundle: Bundle;
  readonly folder: string;
  readonly repository: string;
  readonly scripted: Extract<ReturnType<typeof scriptOfRun>, { ok: true }>['value'];
  readonly sandbox: Awaited<ReturnType<typeof sandboxOptions>>;
};

async function walk(the: Walk): Promise<{ readonly bundle: Bundle; readonly exitCode: ExitCode }> {
  const { folder, recorded, scripted, sandbox } = the;
  const home = join(folder, 'home');
  await mkdir(join(folder, 'person'), { mode: 0o700 });
  const parsed = parseScript(scripted.script);
  if (!parsed.ok)
    throw new CommandFailure(`the file holds no conversation that can be repeated: ${parsed.error.message}`);
  const simulator = await startSimulator({ script: parsed.script, record: 'none' });
  const own = new Set<string>();
  const env = { ...process.env, HOME: join(folder, 'person'), ATTRACTOR_DATABASE_URL: undefined };
  const llm = modelOf(recorded, simulator.baseUrls);
  const accepts = ({ id }: AgentRun): boolean => own.has(id);
  const platform = unwrap(
    await composeWorker({ home, env, llm, ...sandbox, concurrency: 1, accepts, onError: report }),
  );
  const stop = catchStop();
  try {
    const run = await start(platform.workflow, the);
    own.add(run.id);
    platform.worker.wake();
    await followRun(platform.workflow, { run, signal: stop.signal, refused: scripted.refused });
    const file = join(folder, 'again.jsonl.gz');
    await pipeline(Readable.from(unwrap(await platform.workflow.exportRun(run.id))), createWriteStream(file));
    return { bundle: unwrap(await openBundle(file)), exitCode: stop.exitCode() };
  } finally {
    stop.release();
    await platform.close();
    await simulator.close();
  }
}

/** The provider that it had, whose tools the model knew, at the address of the scripted model. */
function modelOf({ settings }: RecordedRun, baseUrls: Readonly<Record<string, string>>) {
  const { provider } = settings.config;
  const row =
    SERVICES.find(({ id }) => id === makerOf(String(provider))) ?? SERVICES.find(({ id }) => id === 'anthropic');
  if (row === undefined) throw new CommandFailure('no provider is known');
  const baseUrl = baseUrls[row.protocol] ?? baseUrls['openai-chat'] ?? '';
  return { defaultProvider: row.id, providers: { [row.id]: { apiKey: 'scripted', baseUrl } } };
}

/** Nothing of the bundle is trusted: its checks are given as this person's own, which the sandbox holds. */
async function start(workflow: PlatformWorkflow, the: Walk): Promise<AgentRun> {
  const { recorded, repository } = the;
  const { task, settings, run } = recorded;
  const project = await ensureProject(workflow, repository);
  const { id: pipelineId } = unwrap(await workflow.savePipeline(outcomesPipeline(recorded.outcomes), ACTOR));
  const { title, description } = task;
  const made = unwrap(await workflow.createTask({ projectId: project.id, title, description, pipelineId }, ACTOR));
  unwrap(await restoreStart(the.bundle, { folder: repository, task: made, draft: join(the.folder, 'before.patch') }));
  const checks = [...new Set(run.checks.map(({ command }) => command))];
  const overrides = { ...limitsOf(settings.config), ...(run.model === '' ? {} : { model: run.model }), checks };
  return unwrap(await workflow.startAgent({ taskId: made.id, mode: run.mode, overrides }, ACTOR));
}

type Overrides = NonNullable<Parameters<PlatformWorkflow['startAgent']>[0]['overrides']>;

function limitsOf(config: Readonly<Record<string, unknown>>): Overrides {
  const { maxTurns, timeout, autoCommit } = config;
  return {
    ...(typeof maxTurns === 'number' ? { maxTurns } : {}),
    ...(typeof timeout === 'number' ? { timeout } : {}),
    ...(typeof autoCommit === 'boolean' ? { autoCommit } : {}),
  };
}

type Found = {
  readonly runId: string;
  readonly differences: ReadonlyArray<string>;
  readonly notes: ReadonlyArray<string>;
};

async function show(call: LoneCall, { runId, differences, notes }: Found): Promise<void> {
  const same = differences.length === 0;
  await print(call.output, {
    value: { runId, same, differences, notes },
    lines: () => [
      ...notes.map((note) => readableText(note)),
      ...(same
        ? [call.style.good('The result is the same: outcome, diff and checks.')]
        : [call.style.bad('The result differs:'), ...differences.map((line) => `  ${readableText(line)}`)]),
    ],
    ids: () => differences.map((line) => readableText(line)),
  });
}

function report(error: unknown): void {
  putText(process.stderr, `attractor: unexpected: ${messageOf(error)}\n`);
}
