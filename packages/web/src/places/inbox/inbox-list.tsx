import type { InboxItem, TaskRow } from '@attractor/api';
import {
  CircleDollarSign,
  FileDiff,
  ListChecks,
  type LucideIcon,
  MessageCircleQuestionMark,
  ScrollText,
  Split,
  SquareTerminal,
} from 'lucide-react';
import { useTaskList } from '../../data/task-list.ts';
import { askedLine, type InboxGroup, itemName, kindOf, showControls, type WaitKind } from '@attractor/api/shown';
import { stateStatus } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { TONE_TEXT } from '../../ui/tone.ts';

type InboxListProps = {
  readonly groups: ReadonlyArray<InboxGroup>;
  readonly shown: InboxItem | null;
  readonly left: number;
  readonly onChoose: (item: InboxItem) => void;
};

/** What waits, by kind. */
export function InboxList({ groups, shown, left, onChoose }: InboxListProps) {
  const list = useTaskList();
  const rows = list.state === 'ready' ? list.value.rows : {};
  // Where all are of one project, its name tells nothing apart.
  const hasProjects = new Set(groups.flatMap(({ items }) => items.map(({ task }) => task.projectId))).size > 1;
  return (
    <div className="flex flex-col gap-4">
      {groups.map(({ label, items }) => (
        <section key={label} aria-label={label}>
          <h2 className="mb-1.5 text-sm font-semibold">
            {label} <span className="font-normal text-faint tabular-nums">{items.length}</span>
          </h2>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel">
            {items.map((item) => (
              <li key={itemName(item)}>
                <Entry
                  item={item}
                  change={rows[item.task.id]?.change ?? null}
                  hasProject={hasProjects}
                  isShown={item === shown}
                  onChoose={() => onChoose(item)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {left === 0 ? null : <p className="text-sm text-soft">{left} more are shown as these are answered.</p>}
    </div>
  );
}

/** What is asked, at a glance; how a task stands that asks nothing has a mark of its own. */
const KIND_ICONS: Partial<Readonly<Record<WaitKind, LucideIcon>>> = {
  tool_approval: SquareTerminal,
  question: MessageCircleQuestionMark,
  options: ListChecks,
  plan_approval: ScrollText,
  split_proposal: Split,
  budget: CircleDollarSign,
  review: FileDiff,
};

type EntryProps = {
  readonly item: InboxItem;
  readonly change: TaskRow['change'];
  readonly hasProject: boolean;
  readonly isShown: boolean;
  readonly onChoose: () => void;
};

/** Which task, what is asked, since when. */
function Entry({ item, change, hasProject, isShown, onChoose }: EntryProps) {
  const { task, state, project } = item;
  const asked = askedLine(item, change);
  const { icon, tone } = stateStatus(state);
  const kind = kindOf(item);
  const Icon = KIND_ICONS[kind] ?? icon;
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      data-shown={isShown}
      onClick={onChoose}
      className={`flex w-full gap-2.5 px-3 py-2 text-left text-sm -outline-offset-2 ${isShown ? 'lg:bg-well' : 'hover:bg-well'}`}
    >
      <Icon size={16} strokeWidth={2} aria-hidden className={`mt-0.5 shrink-0 ${TONE_TEXT[tone]}`} />
      <span className="min-w-0 flex-1">
        <span className="flex gap-2 text-faint">
          <span>{task.key}</span>
          <span className="min-w-0 flex-1 truncate">{hasProject ? showControls(project) : ''}</span>
          <span className={TONE_TEXT[tone]}>
            <Ago at={state.since} />
          </span>
        </span>
        <span dir="auto" title={showControls(task.title)} className="line-clamp-2 font-medium wrap-anywhere">
          {showControls(task.title)}
        </span>
        {asked === '' ? null : (
          <span
            title={showControls(asked)}
            className={`line-clamp-2 wrap-anywhere whitespace-pre-line text-soft ${kind === 'tool_approval' ? 'font-mono' : ''}`}
          >
            {showControls(asked)}
          </span>
        )}
      </span>
    </button>
  );
}
