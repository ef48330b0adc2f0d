import { defined, done } from '@attractor/base';
import { type Actor, findProject, findTaskBySource, refuse, type Result, type Task } from '@attractor/store';
import { type Issue, openProjectGit, openScm, type Scm, type ScmServices } from '@attractor/repository';
import type { ImportedIssues } from './contract.ts';
import { createTask } from '../tasks/tasks.ts';

export async function listIssues(services: ScmServices, projectId: string): Promise<Result<ReadonlyArray<Issue>>> {
  const scm = await openForge(services, projectId);
  if (!scm.ok) return scm;
  return (await scm.value.listIssues?.()) ?? NO_ISSUES;
}

const NO_ISSUES = refuse(
  'blocked',
  'Issues are read from GitHub through the program gh: add a remote on GitHub, install gh and run "gh auth login".',
);

/** Each issue becomes a task once: an issue whose address a task of the project already has is skipped. */
export async function importIssues(
  services: ScmServices & { readonly defaultAgentType: string },
  input: { readonly projectId: string; readonly numbers: ReadonlyArray<number> | 'all'; readonly pipeline?: string },
  actor: Actor,
): Promise<Result<ImportedIssues>> {
  const scm = await openForge(services, input.projectId);
  if (!scm.ok) return scm;
  const read = await readIssues(scm.value, input.numbers);
  if (!read.ok) return read;
  const imported: Task[] = [];
  const known: Array<ImportedIssues['known'][number]> = [];
  const refused = [...read.value.refused];
  for (const issue of read.value.issues) {
    const task = await findTaskBySource(services.store.read, input.projectId, issue.url);
    if (task !== null) {
      known.push({ url: issue.url, taskId: task.id });
      continue;
    }
    const made = await createTask(services.store, taskOf(issue, input), {
      actor,
      defaultAgentType: services.defaultAgentType,
    });
    if (made.ok) imported.push(made.value);
    else refused.push({ number: issue.number, message: made.error.message });
  }
  return done({ imported, known, refused });
}

async function openForge(services: ScmServices, projectId: string): Promise<Result<Scm>> {
  const project = await findProject(services.store.read, projectId);
  if (project === null) return refuse('not_found', `There is no project ${projectId}.`);
  const opened = await openProjectGit(services, project);
  if (!opened.ok) return opened;
  const scm = await openScm(services, opened.value, 'gh');
  // Neither a remote nor a program comes by trying again.
  return scm.ok ? scm : refuse('blocked', scm.error.message);
}

type ReadIssues = { readonly issues: ReadonlyArray<Issue>; readonly refused: ImportedIssues['refused'] };

async function readIssues(scm: Scm, numbers: ReadonlyArray<number> | 'all'): Promise<Result<ReadIssues>> {
  if (scm.listIssues === undefined || scm.getIssue === undefined) return NO_ISSUES;
  if (numbers === 'all') {
    const listed = await scm.listIssues();
    return listed.ok ? done({ issues: listed.value, refused: [] }) : listed;
  }
  const issues: Issue[] = [];
  const refused: Array<ImportedIssues['refused'][number]> = [];
  for (const number of new Set(numbers)) {
    const found = await scm.getIssue(number);
    if (found.ok) issues.push(found.value);
    else refused.push({ number, message: found.error.message });
  }
  return done({ issues, refused });
}

const MAX_TITLE = 200;

function taskOf(issue: Issue, input: { readonly projectId: string; readonly pipeline?: string }) {
  return {
    projectId: input.projectId,
    title: issue.title.slice(0, MAX_TITLE),
    description: issue.body,
    tags: issue.labels,
    sourceUrl: issue.url,
    ...(issue.labels.includes('bug') ? { taskType: 'bug' } : {}),
    ...defined({ pipelineId: input.pipeline }),
  };
}
