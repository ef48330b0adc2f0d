import { RUN_MODES } from '@attractor/facts';
import { isRunMode } from '@attractor/pipeline';
import { isAbsolute, join, resolve } from 'node:path';
import { done, isRecord } from '@attractor/base';
import { PERMISSION_MODES } from '@attractor/facts';
import {
  type Actor,
  appendEvents,
  changeProjectKey,
  findPipeline,
  listPipelines,
  findProject,
  isMergeMethod,
  listProjectWork,
  MERGE_METHODS,
  type Project,
  type ProjectSettings,
  type Reader,
  refuse,
  type Result,
  retargetPullRequests,
  type Store,
  type Tx,
  updateProject,
} from '@attractor/store';
import { isRetryChoices } from '@attractor/run';
import { branchTip, chosenFolder, openRepository } from '@attractor/repository';
import type { ProjectEdit } from './contract.ts';

/** The last write wins; only the named fields of `config` are changed. */
export async function editProject(
  store: Store,
  id: string,
  change: ProjectEdit & { readonly actor: Actor },
): Promise<Result<Project>> {
  const { actor, ...edit } = change;
  const gone = await goneBases(store, id, edit);
  return store.transact(async (tx) => {
    const project = await findProject(tx, id);
    if (project === null) return refuse('not_found', `There is no project ${id}.`);
    if (edit.name !== undefined && edit.name.trim() === '') return refuse('invalid', 'A project needs a name.');
    const { config: changes = {}, ...fieldsOnly } = edit;
    const config = merged(project.config, changes);
    if (!isSettings(config)) return refuseSettings(config);
    const folder = worktreesOf(project, config);
    if (!folder.ok) return folder;
    const unknown = await unknownPipeline(tx, config);
    if (unknown !== null) return refuse('invalid', `There is no pipeline "${unknown}".`);
    const nowhere = await unknownStatus(tx, changes.autoRun ?? {});
    if (nowhere !== null) return refuse('invalid', `config.autoRun: no pipeline has a status "${nowhere}".`);
    const key = edit.key === undefined ? done(project.key) : await changeProjectKey(tx, project, edit.key);
    if (!key.ok) return key;
    const edited: Project = { ...project, ...fieldsOnly, config, key: key.value };
    await updateProject(tx, edited);
    await retarget(tx, { project: edited, gone, actor });
    await appendEvents(tx, [
      {
        projectId: id,
        type: 'project.updated',
        summary: `Changed: ${Object.keys(edit).join(', ')}`,
        data: { project: edited, fields: Object.keys(edit) },
        actor,
      },
    ]);
    return done(edited);
  });
}

/** Base branches of the project's work that no longer exist. A person who names a new default branch says what they are called now. */
async function goneBases({ read }: Store, id: string, { defaultBranch }: ProjectEdit): Promise<ReadonlyArray<string>> {
  const project = defaultBranch === undefined ? null : await findProject(read, id);
  const opened = project === null ? null : await openRepository(project.path);
  if (defaultBranch === undefined || opened === null || !opened.ok) return [];
  if ((await branchTip(opened.value, defaultBranch)) === null) return [];
  const bases = (await listProjectWork(read, id)).map(({ metadata }) => metadata['baseBranch']);
  const gone: string[] = [];
  for (const base of new Set(bases))
    if (typeof base === 'string' && (await branchTip(opened.value, base)) === null) gone.push(base);
  return gone;
}

async function retarget(
  tx: Tx,
  { project, gone, actor }: { readonly project: Project; readonly gone: ReadonlyArray<string>; readonly actor: Actor },
): Promise<void> {
  const { id: projectId, defaultBranch: to } = project;
  for (const from of gone)
    for (const artifact of await retargetPullRequests(tx, { projectId, from, to })) {
      const summary = `${artifact.type}: ${artifact.label} is for ${to} now`;
      const about = { projectId, taskId: artifact.taskId, actor, summary };
      await appendEvents(tx, [{ ...about, type: 'artifact.updated', data: { artifact } }]);
    }
}

/** Uses only the project's path: it may be on another machine. */
function worktreesOf({ path }: Project, { worktreesPath }: ProjectSettings): Result<string | null> {
  if (worktreesPath === undefined) return done(null);
  return chosenFolder({ root: path, gitFolder: join(path, '.git') }, worktreesPath);
}

/** Unnamed fields stay; null removes; lists are replaced as a whole. */
function merged(before: unknown, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const after = new Map(isRecord(before) ? Object.entries(before) : []);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) after.delete(name);
    else after.set(name, isRecord(value) ? merged(after.get(name), value) : value);
  }
  return Object.fromEntries(after);
}

type Rule = { readonly expected: string; readonly holds: (value: unknown) => boolean };
const text: Rule = { expected: 'a text', holds: (value) => typeof value === 'string' && value !== '' };
const flags: Rule = { expected: 'true or false for each name', holds: mapOf((value) => typeof value === 'boolean') };
const words: Rule = { expected: 'a text for each name', holds: mapOf((value) => typeof value === 'string') };
const count: Rule = {
  expected: 'a whole number from 1',
  holds: (value) => Number.isInteger(value) && Number(value) >= 1,
};
const names: Rule = {
  expected: 'a list of texts',
  holds: (value) => Array.isArray(value) && value.every((item) => text.holds(item)),
};

const folders: Rule = {
  expected: 'a list of folders, each from / on and not / itself',
  holds: (value) =>
    Array.isArray(value) &&
    value.every((item) => typeof item === 'string' && isAbsolute(item) && resolve(item) !== '/'),
};

const git: Rule = {
  expected: `an object, with mergeMethod one of ${MERGE_METHODS.join(', ')}`,
  holds: (value) => isRecord(value) && (value['mergeMethod'] === undefined || isMergeMethod(value['mergeMethod'])),
};

const retry: Rule = {
  expected: 'enabled (true or false), or numbers for maxAttempts, delayMs, factor, timeoutMs, maxWaits',
  holds: isRetryChoices,
};

const mode: Rule = {
  expected: `one of ${PERMISSION_MODES.join(', ')}`,
  holds: (value) => PERMISSION_MODES.some((known) => known === value),
};

const RULES: Readonly<Record<keyof ProjectSettings, Rule>> = {
  defaultPipeline: text,
  pipelineByType: words,
  defaultAgentType: text,
  maxConcurrentRuns: count,
  labels: names,
  account: text,
  permissionMode: mode,
  additionalDirectories: folders,
  approver: { expected: 'anyone or another', holds: (value) => value === 'anyone' || value === 'another' },
  retry,
  autoRun: { expected: `a mode for each status: ${RUN_MODES.join(', ')}`, holds: mapOf(isRunMode) },
  worktreesPath: text,
  keepTranscriptsDays: count,
  git,
  notifications: flags,
};

function mapOf(holds: (value: unknown) => boolean) {
  return (value: unknown): boolean => isRecord(value) && Object.values(value).every(holds);
}

/** What is wrong first: its place, what is expected there, and both in words. */
function settingsProblem(config: Readonly<Record<string, unknown>>) {
  for (const [key, value] of Object.entries(config)) {
    const rule: Rule | undefined = Object.entries(RULES).find(([name]) => name === key)?.[1];
    const [path, known] = [`config.${key}`, Object.keys(RULES).join(', ')];
    if (rule === undefined)
      return { path, expected: `one of ${known}`, message: `A project has no setting "${key}"; it has ${known}.` };
    if (!rule.holds(value)) return { path, expected: rule.expected, message: `${path}: expected ${rule.expected}.` };
  }
  return null;
}

function refuseSettings(config: Readonly<Record<string, unknown>>): Result<never> {
  const { message = '', ...place } = settingsProblem(config) ?? {};
  return refuse('invalid', message, [place]);
}

function isSettings(config: Readonly<Record<string, unknown>>): config is ProjectSettings {
  return settingsProblem(config) === null;
}

async function unknownStatus(db: Reader, wanted: Readonly<Record<string, unknown>>): Promise<string | null> {
  const known = new Set((await listPipelines(db)).flatMap(({ statuses }) => statuses.map(({ id }) => id)));
  return Object.keys(wanted).find((status) => wanted[status] !== null && !known.has(status)) ?? null;
}

async function unknownPipeline(db: Reader, config: ProjectSettings): Promise<string | null> {
  for (const id of [config.defaultPipeline, ...Object.values(config.pipelineByType ?? {})])
    if (id !== undefined && (await findPipeline(db, id)) === null) return id;
  return null;
}
