import { covers } from '@attractor/facts';
import {
  type Actor,
  findProject,
  listEvents,
  listPrompts,
  listUsers,
  OWNER,
  personOf,
  type PipelineDefinition,
  type Project,
  type Reader,
  type Refusal,
  refuse,
  type Task,
} from '@attractor/store';
import { isAccepting } from './accepting.ts';

type Refused = { readonly ok: false; readonly error: Refusal };

/**
 * Where a project wants another person to approve: refuses whoever asked for the work, and whoever can't be told apart from them, with
 * the words who may. Null: nothing is in the way.
 */
export async function judgeApprover(
  db: Reader,
  { task, runId }: { readonly task: Task; readonly runId: string | null },
  actor: Actor,
): Promise<Refused | null> {
  const project = await findProject(db, task.projectId);
  if (project?.config.approver !== 'another') return null;
  const asked = await whoAsked(db, task, runId);
  const person = personOf(actor);
  if (person !== null && !asked.has(person)) return null;
  const who = person === null ? 'It is not known who answers here' : `${person} asked for this work`;
  const others = await whoMay(db, project, asked);
  const rest =
    others.length === 0
      ? 'There is nobody else yet: attractor users add NAME --role operator'
      : `Who may: ${others.join(', ')}.`;
  return refuse('forbidden', `${who}, and in ${project.key} somebody else has to approve it. ${rest}`);
}

/** The same for a move by hand that means what an approval would. */
export async function judgeMove(
  db: Reader,
  { task, pipeline, to }: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly to: string },
  actor: Actor,
): Promise<Refused | null> {
  if (!(await wantsAnother(db, task))) return null;
  const prompts = await listPrompts(db, { taskId: task.id, status: 'pending' });
  const asking = prompts.find(({ payload }) => 'answers' in payload && payload.answers?.['approve'] === to);
  if (asking === undefined && !isAccepting(to, pipeline)) return null;
  return judgeApprover(db, { task, runId: asking?.runId ?? null }, actor);
}

async function wantsAnother(db: Reader, { projectId }: Task): Promise<boolean> {
  return (await findProject(db, projectId))?.config.approver === 'another';
}

/** Who made the task, or the one that it is a part of, or started this run: unless by approving something. */
async function whoAsked(db: Reader, task: Task, runId: string | null): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  for (const taskId of [task.id, task.parentTaskId]) {
    if (taskId === null) continue;
    const events = await listEvents(db, { taskId, type: ['task.created', 'agent.started', 'prompt.answered'] });
    // What an answer set going has the time of the answer.
    const answered = new Set(
      events.flatMap(({ type, at, actor }) => (type === 'prompt.answered' ? [told(at, actor)] : [])),
    );
    for (const { type, at, actor, runId: started } of events) {
      const isRequest = type === 'task.created' || (type === 'agent.started' && runId !== null && started === runId);
      const person = personOf(actor);
      if (isRequest && person !== null && !answered.has(told(at, actor))) asked.add(person);
    }
  }
  return asked;
}

function told(at: string, actor: Actor): string {
  return `${at} ${personOf(actor) ?? ''}`;
}

const SHOWN = 5;

async function whoMay(db: Reader, { id }: Project, asked: ReadonlySet<string>): Promise<ReadonlyArray<string>> {
  const users = (await listUsers(db)).filter(
    ({ name, role, projects }) =>
      covers(role, 'operator') && (role === 'admin' || projects === null || projects.includes(id)) && !asked.has(name),
  );
  const names = users.slice(0, SHOWN).map(({ name }) => name);
  return asked.has(OWNER) ? names : [...names, 'the owner'];
}
