import { latestChecks, type TaskWorld } from '@attractor/api/shown';
import { pendingPrompts } from '@attractor/api';
import { Suspense } from 'react';
import { useHidden } from '../../data/hidden.ts';
import { taskWorldSource } from '../../data/task-world.ts';
import { useLive } from '../../data/use-live.ts';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { Loading } from '../../ui/notice.tsx';
import { PlaceFailed } from '../../ui/place-failed.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { WhenWaiting } from '../../waiting/when-waiting.tsx';
import { Conversation } from './conversation.tsx';
import { TaskHead } from './task-head.tsx';
import { TaskRail } from './task-rail.tsx';
import { late } from '../../data/late.ts';

/** A task as a place of work: what it is, what was said and done, what changed, what waits. */
export function TaskPlace({ id }: { readonly id: string }) {
  const world = useLive(taskWorldSource(id));
  const hidden = useHidden();
  if (world.state === 'loading') return <PlaceLoading />;
  if (world.state === 'failed') return <PlaceFailed error={world.error} again={world.again} />;
  const { task, taskId } = world.value.task;
  if (task === null || hidden.has(taskId)) return <TaskGone world={world.value} />;
  return <TaskPage world={world.value} />;
}

const TaskGone = late(() => import('../../waiting/task-gone.tsx').then((part) => part.TaskGone));
const SteerBox = late(() => import('../../run/steer-box.tsx').then((part) => part.SteerBox));
const Plan = late(() => import('./sections.tsx').then((part) => part.Plan));
const ChecksSection = late(() => import('./sections.tsx').then((part) => part.ChecksSection));
const Past = late(() => import('./sections.tsx').then((part) => part.Past));
const Changes = late(() => import('./changes.tsx').then((part) => part.Changes));

const Artifacts = late(() => import('./artifacts.tsx').then((part) => part.Artifacts));
const WorkSteps = late(() => import('./work-steps.tsx').then((part) => part.WorkSteps));

const SECTIONS = {
  conversation: Conversation,
  plan: Plan,
  changes: Changes,
  branch: WorkSteps,
  checks: ChecksSection,
  artifacts: Artifacts,
  past: Past,
} as const;

type SectionName = keyof typeof SECTIONS;

function tabsOf(world: TaskWorld): ReadonlyArray<{ name: SectionName; label: string; count?: number }> {
  return [
    { name: 'conversation', label: 'Conversation', count: world.task.runs.length },
    { name: 'plan', label: 'Plan' },
    { name: 'changes', label: 'Changes' },
    { name: 'branch', label: 'Branch' },
    { name: 'checks', label: 'Checks', count: new Set(latestChecks(world).map(({ name }) => name)).size },
    { name: 'artifacts', label: 'Artifacts', count: world.task.artifacts.length },
    { name: 'past', label: 'History' },
  ];
}

function TaskPage({ world }: { readonly world: TaskWorld }) {
  const [given, choose] = useAddressValue('tab');
  const chosen: SectionName = given !== null && given in SECTIONS ? (given as SectionName) : 'conversation';
  const Section = SECTIONS[chosen];
  const running = world.task.runs.findLast(({ run }) => run.status === 'running');
  const waits = pendingPrompts(world.task).length > 0;
  return (
    <>
      <TaskHead world={world} />
      <div
        className={`grid grid-cols-[minmax(0,1fr)] items-start gap-6 ${chosen === 'changes' ? '' : 'xl:grid-cols-[minmax(0,1fr)_320px]'}`}
      >
        <div className="min-w-0">
          {chosen === 'changes' ? null : <WhenWaiting task={world.task} />}
          <div className="mt-4">
            <Tabs
              label="Sections"
              tabs={tabsOf(world)}
              chosen={chosen}
              onChoose={(name) => choose(name === 'conversation' ? null : name)}
            >
              <div className="pt-4">
                <Suspense fallback={<Loading lines={8} />}>
                  <Section world={world} />
                </Suspense>
              </div>
            </Tabs>
          </div>
          {running === undefined || chosen === 'changes' ? null : (
            <Suspense fallback={null}>
              <SteerBox taskId={world.task.taskId} run={running.run} hasStop waits={waits} />
            </Suspense>
          )}
        </div>
        {chosen === 'changes' ? null : <TaskRail world={world} />}
      </div>
    </>
  );
}
