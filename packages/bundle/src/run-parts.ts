import { join } from 'node:path';
import { isRecord } from '@attractor/base';
import { runGit } from '@attractor/git';
import { journalFiles, readRecords } from '@attractor/journal';
import { findProject, findRunRequest, listArtifacts, listEvents, listRunUsage, listSteps } from '@attractor/store';
import { arch, release, type } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { BundlePart } from './format.ts';
import type { WrittenRun } from './sources.ts';

/** What the database says of a run, before its events. */
export async function* rowParts({ store, home, run, task }: WrittenRun): AsyncGenerator<BundlePart> {
  const { read } = store;
  const steps = await listSteps(read, run.id);
  const resultOf = (name: string): Readonly<Record<string, unknown>> => {
    const result = steps.find(({ step, ok }) => step === name && ok)?.result;
    return isRecord(result) ? result : {};
  };
  const [project, configured, context] = [
    await findProject(read, run.projectId),
    resultOf('configure'),
    resultOf('context'),
  ];
  yield { part: 'versions', value: await versionsOf(home, run) };
  yield { part: 'run', value: run };
  yield { part: 'task', value: task };
  if (project !== null) yield { part: 'project', value: { id: project.id, name: project.name, path: project.path } };
  yield {
    part: 'settings',
    value: {
      agentType: run.agentType,
      mode: run.mode,
      config: recordOr(configured['config']),
      origins: recordOr(configured['origins']),
      request: await findRunRequest(read, run.id),
    },
  };
  const { prompt, outcomes } = context;
  if (typeof prompt === 'string')
    yield { part: 'prompt', value: { text: prompt, outcomes: Array.isArray(outcomes) ? outcomes : [] } };
  else yield { part: 'missing', text: 'The prompt: the run ended, or was exported, before it was put together.' };
}

function recordOr(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

async function versionsOf(home: string, run: WrittenRun['run']) {
  const git = await runGit(['version'], { cwd: home });
  return {
    attractor: manifest.version,
    node: process.version,
    git: git.exitCode === 0 ? git.stdout.trim() : 'none',
    os: `${type()} ${release()} ${arch()}`,
    agent: run.agentType,
    model: run.model,
  };
}

const PAGE = 100;

/** Page by page: a long run needs no more memory than a short one. */
export async function* eventParts({ store, run }: WrittenRun): AsyncGenerator<BundlePart> {
  for (let after = 0; ;) {
    const events = await listEvents(store.read, { taskId: run.taskId, after, limit: PAGE });
    for (const event of events)
      if (event.runId === null || event.runId === run.id) yield { part: 'event', value: event };
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return;
    after = last.seq;
  }
}

/** The agent's own journal and those of its subagents, where the agent keeps one. */
export async function* journalParts({ home, run }: WrittenRun): AsyncGenerator<BundlePart> {
  const files = journalFiles(join(home, 'runs', run.id, 'session.jsonl'));
  for (const { name, file } of files) {
    const damaged: number[] = [];
    for (const value of readRecords(file, { onDamage: ({ line }) => void damaged.push(line) }))
      yield { part: 'record', journal: name, value };
    if (damaged.length > 0)
      yield { part: 'missing', text: `Records of the journal ${name} that are damaged: ${damaged.length}.` };
  }
  if (files.length === 0 && run.agentType === 'native')
    yield { part: 'missing', text: 'The journal of the agent: it is not on the machine that wrote this file.' };
}

export async function* artifactParts({ store, run }: WrittenRun): AsyncGenerator<BundlePart> {
  for (const value of await listArtifacts(store.read, run.taskId))
    if (value.runId === null || value.runId === run.id) yield { part: 'artifact', value };
  const models = await listRunUsage(store.read, run.id);
  yield { part: 'usage', value: { total: run.tokenUsage, models } };
}
