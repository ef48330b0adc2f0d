import {
  appendEvents,
  insertPhase,
  listPhases,
  listPrompts,
  type PhaseStatus,
  setPhaseStatus,
  type TaskPhase,
} from '@attractor/store';
import type { ActionContext } from './action.ts';

/** The phases that a person approved become those of the task, in order; the first one begins. */
export async function executeSplit({ tx, task, actor, payload }: ActionContext): Promise<void> {
  if ((await listPhases(tx, task.id)).length > 0) return;
  const answered = await listPrompts(tx, { taskId: task.id, status: 'answered' });
  const proposal = answered.findLast(
    (prompt) => prompt.type === 'review' && prompt.payload.proposedPhases !== undefined,
  )?.payload;
  const proposed = phasesOf(payload) ?? phasesOf(proposal) ?? [];
  if (proposed.length === 0) throw new Error('There is no approved proposal with phases to split the task into');
  for (const [position, { name, description }] of proposed.entries()) {
    const status = position === 0 ? 'in_progress' : 'pending';
    const phase = await insertPhase(tx, { taskId: task.id, name, description, status, position });
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        type: 'phase.created',
        summary: `Phase ${position + 1}: ${name}`,
        data: { phase },
        actor,
      },
    ]);
  }
}

/** The current phase is done; the next one begins. */
export async function advancePhase(context: ActionContext): Promise<void> {
  const phases = await listPhases(context.tx, context.task.id);
  const current = phases.find(({ status }) => status === 'in_progress');
  if (current !== undefined) await change(context, current, 'completed');
  const next = phases.find(({ status }) => status === 'pending');
  if (next !== undefined) await change(context, next, 'in_progress');
}

export async function currentPhase({ tx, task }: ActionContext): Promise<TaskPhase> {
  const phase = (await listPhases(tx, task.id)).find(({ status }) => status === 'in_progress');
  if (phase === undefined) throw new Error('No phase of the task is in progress');
  return phase;
}

async function change({ tx, task, actor }: ActionContext, phase: TaskPhase, status: PhaseStatus): Promise<void> {
  const changed = await setPhaseStatus(tx, phase, status);
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'phase.changed',
      summary: `Phase ${phase.name}: ${status}`,
      data: { phase: changed },
      actor,
    },
  ]);
}

type Proposed = { readonly name: string; readonly description: string };

function phasesOf(value: unknown): ReadonlyArray<Proposed> | null {
  if (typeof value !== 'object' || value === null) return null;
  const listed: unknown = Reflect.get(value, 'phases') ?? Reflect.get(value, 'proposedPhases');
  if (!Array.isArray(listed)) return null;
  return listed.flatMap((phase: unknown) => {
    if (typeof phase !== 'object' || phase === null) return [];
    const [name, description]: unknown[] = [Reflect.get(phase, 'name'), Reflect.get(phase, 'description')];
    return typeof name === 'string' ? [{ name, description: typeof description === 'string' ? description : '' }] : [];
  });
}
