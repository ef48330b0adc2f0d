import { useState } from 'react';
import { Loading, LoadFailed } from '../ui/notice.tsx';
import { useLive } from '../use-live.ts';
import { Criteria } from './criteria.tsx';
import { SECTIONS, type SectionName } from './sections.tsx';
import { TaskHead } from './task-head.tsx';
import { WaitingPanels } from '../waiting/waiting-panel.tsx';
import { taskWorldSource, type TaskWorld } from '../task-world.ts';

export function TaskScreen({ taskId }: { readonly taskId: string }) {
  const world = useLive(taskId, taskWorldSource);
  if (world.state === 'loading') return <Loading />;
  if (world.state === 'failed') return <LoadFailed error={world.error} />;
  return <TaskPage world={world.value} />;
}

function TaskPage({ world }: { readonly world: TaskWorld }) {
  const [chosen, setChosen] = useState<SectionName>('conversation');
  const Section = SECTIONS[chosen].body;
  return (
    <>
      <TaskHead world={world} />
      <WaitingPanels task={world.task} />
      <Criteria taskId={world.task.taskId} seq={world.task.seq} />
      <Tabs world={world} chosen={chosen} onChoose={setChosen} />
      <div role="tabpanel" id="section" aria-labelledby={`tab-${chosen}`}>
        <Section world={world} />
      </div>
    </>
  );
}

type TabsProps = {
  readonly world: TaskWorld;
  readonly chosen: SectionName;
  readonly onChoose: (name: SectionName) => void;
};

const NAMES: ReadonlyArray<SectionName> = ['conversation', 'plan', 'checks', 'artifacts', 'history'];

function Tabs({ world, chosen, onChoose }: TabsProps) {
  const move = (step: number) => {
    const next = NAMES[(NAMES.indexOf(chosen) + step + NAMES.length) % NAMES.length];
    if (next === undefined) return;
    onChoose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowRight') move(1);
    if (event.key === 'ArrowLeft') move(-1);
  };
  return (
    <div
      role="tablist"
      aria-label="Sections"
      className="mt-5 mb-4 flex gap-1 overflow-x-auto border-b border-line"
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      {NAMES.map((name) => {
        const count = SECTIONS[name].count(world);
        const here = name === chosen;
        return (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={here}
            aria-controls="section"
            tabIndex={here ? 0 : -1}
            onClick={() => onChoose(name)}
            className={`-mb-px min-h-9 border-b-2 px-2.5 text-[13px] whitespace-nowrap ${here ? 'border-ink font-medium' : 'border-transparent text-soft hover:text-ink'}`}
          >
            {SECTIONS[name].label}
            {count === 0 ? null : <span className="ml-1.5 text-faint tabular-nums">{count}</span>}
          </button>
        );
      })}
    </div>
  );
}
