import type { Project } from '@attractor/api';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useProject } from '../../data/project.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { AddProject } from '../../project/add-project.tsx';
import { ChecksPanel } from '../../project/checks-panel.tsx';
import { TrustPanel } from '../../project/trust-panel.tsx';
import { buttonClass, Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { EffectiveSettings } from './effective-settings.tsx';
import { ProjectActivity } from './project-activity.tsx';
import { ProjectFolder } from './project-folder.tsx';
import { ProjectIssues } from './project-issues.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { ProjectWaits } from './project-waits.tsx';
import { Schedules } from './schedules.tsx';

/** The repositories that agents may work on. */
export function ProjectsPlace() {
  const { projects } = useProject();
  const [open, show] = useAddressValue('project');
  return (
    <>
      <PageHead title="Projects" />
      <div className="flex flex-col gap-4">
        {projects.length === 0 ? (
          <Empty title="No project yet">
            <p>The guide leads from a folder to the first task.</p>
            <Link href="/start" className={`${buttonClass('primary')} mt-4`}>
              Begin
            </Link>
          </Empty>
        ) : null}
        <Panel title="Add a project">
          <AddProject />
        </Panel>
        {projects.map((project) => (
          <ProjectPanel
            key={project.id}
            project={project}
            isOpen={project.key === open || (open === null && projects.length === 1)}
            onTurn={(isOpen) => show(isOpen ? project.key : 'none')}
          />
        ))}
      </div>
    </>
  );
}

type ProjectPanelProps = {
  readonly project: Project;
  readonly isOpen: boolean;
  readonly onTurn: (isOpen: boolean) => void;
};

function ProjectPanel({ project, isOpen, onTurn }: ProjectPanelProps) {
  const side = (
    <Button kind="quiet" className="-mr-3" aria-expanded={isOpen} onClick={() => onTurn(!isOpen)}>
      {isOpen ? 'Fold' : 'Unfold'}
    </Button>
  );
  return (
    <Panel title={showControls(project.name)} side={side}>
      <p className="text-sm wrap-anywhere text-soft">
        <code className="font-mono">{showControls(project.path)}</code> on{' '}
        <code className="font-mono whitespace-nowrap">{showControls(project.defaultBranch)}</code>
      </p>
      <Going project={project} />
      {isOpen ? <ProjectParts project={project} /> : null}
    </Panel>
  );
}

function Going({ project }: { readonly project: Project }) {
  useAfterLog(['project', project.id]);
  const info = useAnswer(['project', project.id, 'info'], () => api.projects.info(project.id));
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  if (info.state !== 'ready') return null;
  // One that several have stands where the default has it.
  const known = pipelines.state === 'ready' ? pipelines.value : [];
  const statuses = known
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    .flatMap((pipeline) => pipeline.statuses);
  const statusOf = (status: string) => statuses.find(({ id }) => id === status);
  const labelOf = (status: string) => statusOf(status)?.label ?? status.replaceAll('_', ' ');
  const placeOf = ([status]: readonly [string, number]) => statusOf(status)?.position ?? Number.MAX_SAFE_INTEGER;
  const { waiting, runningRuns, queuedRuns, tasks } = info.value;
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-soft">
      {waiting === 0 ? null : <span className="font-medium text-wait">{waiting} waiting for you</span>}
      {runningRuns === 0 ? null : <span className="font-medium text-work">{runningRuns} running</span>}
      {queuedRuns === 0 ? null : <span className="font-medium">{queuedRuns} queued</span>}
      {Object.entries(tasks)
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map(([status, count]) => (
          <span key={status}>
            {count} {showControls(labelOf(status)).toLowerCase()}
          </span>
        ))}
    </p>
  );
}

function ProjectParts({ project }: { readonly project: Project }) {
  const parts = [
    ['Settings in its repository', <TrustPanel key="trust" projectId={project.id} />],
    ['Checks', <ChecksPanel key="checks" projectId={project.id} />],
    ['Run settings', <ProjectSettings key={JSON.stringify(project.config)} project={project} />],
    ['Effective settings and their origin', <EffectiveSettings key="gets" projectId={project.id} />],
    ['Schedules', <Schedules key="clock" project={project} />],
    ['Issues', <ProjectIssues key="issues" projectId={project.id} />],
    ['Tasks that wait for others', <ProjectWaits key="waits" projectId={project.id} />],
    ['What happened', <ProjectActivity key="happened" projectId={project.id} />],
    ['Folder', <ProjectFolder key={project.path} project={project} />],
  ] as const;
  return parts.map(([title, body]) => (
    <section
      key={title}
      aria-label={title}
      className="-mx-4 mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 border-t border-line px-4 pt-4 xl:grid-cols-[12rem_minmax(0,1fr)]"
    >
      <h3 className="text-sm font-semibold">{title}</h3>
      <div>{body}</div>
    </section>
  ));
}
