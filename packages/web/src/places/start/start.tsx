import { type Project, SAMPLE_TASK } from '@attractor/api';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { keepDraft, readDraft } from '../../data/draft.ts';
import { useProject } from '../../data/project.ts';
import { For, useMay } from '../../data/role.tsx';
import { useTaskList } from '../../data/task-list.ts';
import { AddProject } from '../../project/add-project.tsx';
import { AgentsReady, useWorkers } from '../../project/agents-ready.tsx';
import { ChecksPanel } from '../../project/checks-panel.tsx';
import { ModelsReady } from '../../project/models-ready.tsx';
import { TrustPanel } from '../../project/trust-panel.tsx';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { showControls } from '@attractor/api/shown';

/** From nothing to the first task, without a terminal. */
export function StartPlace() {
  const list = useTaskList();
  const { projects, choose } = useProject();
  const isTrusted = useIsTrusted(projects[0]?.id);
  const { canWork } = useWorkers(projects[0]);
  if (list.state === 'loading') return <PlaceLoading />;
  const hasTask = list.state === 'ready' && Object.keys(list.value.rows).length > 0;
  const [project] = projects;
  return (
    <div className="mx-auto flex max-w-[760px] flex-col gap-4 *:first:mb-0">
      <PageHead title="Begin" about="Four steps to the first task" />
      <ProjectStep
        project={project}
        onAdded={({ id }, way) => {
          choose(id);
          if (way === 'sample') writeFirstTask(id);
        }}
      />
      <Step number={2} title="Settings in its repository" isDone={isTrusted}>
        {project === undefined ? (
          <p className="text-faint">Shown once there is a project: its checks, and what has to be trusted first.</p>
        ) : (
          <div className="flex flex-col gap-4">
            <TrustPanel projectId={project.id} isNext />
            <ChecksPanel projectId={project.id} />
          </div>
        )}
      </Step>
      <Step number={3} title="An agent" isDone={canWork}>
        <div className="flex flex-col gap-4">
          <AgentsReady project={project} isNext={isTrusted} />
          <ModelsReady isFolded={canWork} />
        </div>
      </Step>
      <Step number={4} title="The first task" isDone={hasTask}>
        <p className="mb-3">
          {readDraft('new-task') === '' || hasTask
            ? 'Describe what should change.'
            : 'What you began to write is kept: look at it, change it, start it.'}{' '}
          The agent asks, plans, works and shows you what it did.
        </p>
        {project === undefined ? (
          <p className="text-faint">It needs a project.</p>
        ) : (
          <For least="operator" what="make tasks">
            <Link href="/new" className={buttonClass(canWork ? 'primary' : 'plain')}>
              New task
            </Link>
          </For>
        )}
      </Step>
    </div>
  );
}

/** The sample says what is wrong with it: its first task is written already, for whoever wants to change it. */
function writeFirstTask(projectId: string): void {
  if (readDraft('new-task') === '') keepDraft('new-task', JSON.stringify({ projectId, ...SAMPLE_TASK }));
}

type ProjectStepProps = {
  readonly project: Project | undefined;
  readonly onAdded: NonNullable<Parameters<typeof AddProject>[0]['onAdded']>;
};

function ProjectStep({ project, onAdded }: ProjectStepProps) {
  return (
    <Step number={1} title="A project" isDone={project !== undefined}>
      {project === undefined ? (
        <>
          <p className="mb-3">
            A project is a git repository that agents may work on. They work in worktrees of their own: your checkout is
            never touched.
          </p>
          <AddProject isFirst onAdded={onAdded} />
        </>
      ) : (
        <p>
          <span className="font-medium">{showControls(project.name)}</span> in{' '}
          <code className="font-mono wrap-anywhere">{showControls(project.path)}</code>.{' '}
          <Link href="/projects" className="underline underline-offset-2">
            All projects
          </Link>
        </p>
      )}
    </Step>
  );
}

/** Found by itself where its repository says nothing. */
function useIsTrusted(projectId: string | undefined): boolean {
  const mayTrust = useMay('admin');
  const examined = useAnswer(['trust', projectId ?? ''], () => api.projects.examine(projectId ?? ''), {
    enabled: mayTrust && projectId !== undefined,
  });
  return examined.state === 'ready' && (examined.value.state === 'trusted' || examined.value.files.length === 0);
}

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
};

function Step({ number, title, isDone, children }: StepProps) {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-panel px-4 py-4">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <Icon size={18} aria-hidden className={isDone ? 'text-good' : 'text-faint'} />
        {number}. {title}
        <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
      </h2>
      <div className="mt-2 pl-0 text-sm sm:pl-6.5">{children}</div>
    </section>
  );
}
