import { type Actor, type PlatformWorkflow, type Project } from '@attractor/platform';
import { must, newRepository, openRealWorld, type RealWorld } from './real-world.ts';
import { until } from './serve.ts';

/** Stands in everything that belongs to the other project. */
export const FOREIGN = 'f0reign-w0rds';

export type TwoProjects = RealWorld & {
  readonly ours: Project;
  readonly theirs: Project;
  /** Ids of what belongs to the other project, by their kind. */
  readonly foreign: Readonly<Record<string, string>>;
};

const OWNER: Actor = { type: 'user', name: 'test' };

/** Two projects with a task each; in the other one a run waits for a person, and there is something of every kind. */
export async function openTwoProjects(): Promise<TwoProjects> {
  const world = await openRealWorld([
    { steps: [{ do: 'askHuman', toolName: 'shell', input: { command: `echo ${FOREIGN}` } }] },
  ]);
  const { workflow } = world;
  const ours = must(await workflow.createProject({ path: newRepository(), name: 'ours' }, OWNER));
  const theirs = must(await workflow.createProject({ path: newRepository(), name: `the ${FOREIGN}` }, OWNER));
  must(await workflow.createTask({ projectId: ours.id, title: 'Our task', pipelineId: 'simple' }, OWNER));
  return { ...world, ours, theirs, foreign: await fill(workflow, theirs) };
}

async function fill(workflow: PlatformWorkflow, { id: prj }: Project): Promise<Readonly<Record<string, string>>> {
  const title = `A task of ${FOREIGN}`;
  const { id: tsk } = must(await workflow.createTask({ projectId: prj, title, pipelineId: 'simple' }, OWNER));
  const { id: run } = must(await workflow.startAgent({ taskId: tsk, mode: 'implement' }, OWNER));
  const artifact = { taskId: tsk, type: 'link', label: FOREIGN, url: 'https://example.test/' } as const;
  const { id: art } = must(await workflow.addArtifact(artifact, OWNER));
  const content = new TextEncoder().encode(FOREIGN);
  const { id: att } = must(await workflow.addAttachment({ taskId: tsk, name: `${FOREIGN}.txt`, content }, OWNER));
  const action = { kind: 'start', taskId: tsk, mode: 'plan' } as const;
  const schedule = { projectId: prj, name: FOREIGN, cron: '@yearly', action };
  const { id: sch } = must(await workflow.saveSchedule(schedule, OWNER));
  must(await workflow.setBudget({ scope: 'project', subjectId: prj, limitUsd: 5 }, OWNER));
  let [prompt] = await workflow.listPrompts({ taskId: tsk });
  const look = async (): Promise<void> => {
    [prompt] = await workflow.listPrompts({ taskId: tsk });
  };
  const stopLooking = workflow.subscribe(() => void look());
  await until(() => prompt !== undefined, 'the question of the run');
  stopLooking();
  must(await workflow.pauseQueue({}, OWNER));
  const tried = must(await workflow.createTask({ projectId: prj, title, pipelineId: 'simple' }, OWNER));
  const { id: atg } = must(await workflow.startAttempts({ taskId: tried.id, attempts: [{}, {}] }, OWNER));
  return {
    prj,
    tsk,
    run,
    art,
    att,
    sch,
    prm: prompt?.id ?? '',
    atg,
    bud: 'bud_none',
    tpl: 'none',
  };
}
