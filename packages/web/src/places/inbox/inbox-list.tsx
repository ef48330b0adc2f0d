import type { InboxItem } from '@attractor/api';
import { showControls } from '../../ui/plain-text.ts';
import { StatusIcon, stateStatus } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { askedLine, type InboxGroup, itemName } from './inbox-groups.ts';

type InboxListProps = {
  readonly groups: ReadonlyArray<InboxGroup>;
  readonly shown: InboxItem | null;
  readonly left: number;
  readonly onChoose: (item: InboxItem) => void;
};

/** What waits, by kind. */
export function InboxList({ groups, shown, left, onChoose }: InboxListProps) {
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
                <Entry item={item} isShown={item === shown} onChoose={() => onChoose(item)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {left === 0 ? null : <p className="text-sm text-soft">{left} more are shown as these are answered.</p>}
    </div>
  );
}

type EntryProps = { readonly item: InboxItem; readonly isShown: boolean; readonly onChoose: () => void };

function Entry({ item, isShown, onChoose }: EntryProps) {
  const { task, state, project } = item;
  const asked = askedLine(item);
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      data-shown={isShown}
      onClick={onChoose}
      className={`flex w-full gap-2.5 px-3 py-2 text-left text-sm -outline-offset-2 ${isShown ? 'lg:bg-well' : 'hover:bg-well'}`}
    >
      <span className="pt-1">
        <StatusIcon status={stateStatus(state)} />
      </span>
      <span className="min-w-0 flex-1">
        <span title={showControls(task.title)} className="block truncate font-medium">
          {showControls(task.title)}
        </span>
        {asked === '' ? null : (
          <span title={showControls(asked)} className="block truncate text-soft">
            {showControls(asked)}
          </span>
        )}
        <span className="flex gap-2 text-faint">
          <span>{task.key}</span>
          <span className="min-w-0 flex-1 truncate">{showControls(project)}</span>
          <Ago at={state.since} />
        </span>
      </span>
    </button>
  );
}
