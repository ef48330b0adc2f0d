import type { Inbox, InboxItem } from '@attractor/api';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { For } from '../../data/role.tsx';
import { useTaskList } from '../../data/task-list.ts';
import { useInbox } from '../../data/use-inbox.ts';
import { useActs } from '../../keys/acts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { groupInbox, itemName, showControls } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { leftDraft } from '../../waiting/prompt-drafts.ts';
import { InboxDetail } from './inbox-detail.tsx';
import { InboxKeys } from './inbox-keys.tsx';
import { InboxList } from './inbox-list.tsx';

/** What needs a person, and the whole answer beside it. */
export function InboxPlace() {
  const inbox = useInbox();
  return (
    <>
      <PageHead title="Inbox" about={inbox.state === 'ready' ? summaryOf(inbox.value) : undefined}>
        {inbox.state === 'ready' && inbox.value.items.length > 0 ? <InboxKeys /> : null}
      </PageHead>
      {inbox.state === 'loading' ? <Loading /> : null}
      {inbox.state === 'failed' ? <LoadFailed error={inbox.error} again={inbox.again} /> : null}
      {inbox.state === 'ready' ? <TwoPanes inbox={inbox.value} /> : null}
    </>
  );
}

function summaryOf({ items, left }: Inbox): string {
  const count = items.length + left;
  return count === 0 ? '' : `${count} waiting for you`;
}

function TwoPanes({ inbox }: { readonly inbox: Inbox }) {
  const groups = groupInbox(inbox);
  const items = groups.flatMap((group) => group.items);
  const [name, choose] = useAddressValue('item');
  const chosen = items.find((item) => itemName(item) === name) ?? null;
  const [found, find] = useState<string | null>(null);
  if (chosen !== null && found !== name) find(name);
  // Whoever follows a link to what is answered by now is shown no other question in its place.
  const isGone = chosen === null && name !== null && name !== found;
  const shown = isGone ? null : (chosen ?? items[0] ?? null);
  useInboxKeys(items, shown, choose);
  useSayBeaten(items, shown);
  if (items.length === 0) return <AllDone />;
  // Whoever chose another one while the answer was on its way stays there.
  const next = () => {
    if (new URLSearchParams(location.search).get('item') !== name) return;
    const at = shown === null ? -1 : items.indexOf(shown);
    const other = items[at + 1] ?? items[at - 1];
    choose(other === undefined ? null : itemName(other));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(280px,3fr)_minmax(0,5fr)] xl:grid-cols-[360px_minmax(0,64rem)]">
      <div
        className={`lg:sticky lg:top-17 lg:max-h-[calc(100dvh-140px)] lg:overflow-y-auto ${chosen === null ? '' : 'hidden lg:block'}`}
      >
        <InboxList groups={groups} shown={shown} left={inbox.left} onChoose={(item) => choose(itemName(item))} />
      </div>
      {isGone ? <NoLonger name={name} /> : null}
      {shown === null ? null : (
        <div className={`min-w-0 ${chosen === null ? 'hidden lg:block' : ''}`}>
          <InboxDetail key={itemName(shown)} item={shown} onBack={() => choose(null)} onAnswered={next} />
        </div>
      )}
    </div>
  );
}

function NoLonger({ name }: { readonly name: string }) {
  const key = name.split('.')[0] ?? name;
  return (
    <div className="min-w-0 max-lg:order-first">
      <Empty title={`${showControls(name)} no longer waits for you`}>
        <p>It was answered, or it is over.</p>
        <Link href={`/tasks/${key}`} className={`${buttonClass('plain')} mt-4`}>
          Open {showControls(key)}
        </Link>
      </Empty>
    </div>
  );
}

/** Somebody else answered what is being written here: the page of its task has what was written. */
function useSayBeaten(items: ReadonlyArray<InboxItem>, shown: InboxItem | null): void {
  const last = useRef(shown);
  useEffect(() => {
    const before = last.current;
    last.current = shown;
    const prompt = before?.prompt ?? null;
    if (before === null || prompt === null || items.some((item) => item.prompt?.id === prompt.id)) return;
    if (leftDraft(prompt.id) === '') return;
    const title = showControls(before.task.title);
    toast(`“${title}” was answered meanwhile. What you wrote is kept on the page of ${before.task.key}.`);
  }, [items, shown]);
}

function useInboxKeys(
  items: ReadonlyArray<InboxItem>,
  shown: InboxItem | null,
  choose: (name: string | null) => void,
): void {
  const [, navigate] = useLocation();
  const at = shown === null ? -1 : items.indexOf(shown);
  const move = (step: number) => {
    const next = items[at + step];
    if (next !== undefined) choose(itemName(next));
  };
  useActs([
    { id: 'inbox next', label: 'Next in the inbox', group: 'Inbox', keys: 'j', run: () => move(1), isQuiet: true },
    {
      id: 'inbox before',
      label: 'Previous in the inbox',
      group: 'Inbox',
      keys: 'k',
      run: () => move(-1),
      isQuiet: true,
    },
    {
      id: 'inbox open',
      label: 'Open the task',
      group: 'Inbox',
      keys: 'Enter',
      run: () => {
        if (document.activeElement instanceof HTMLElement && document.activeElement.closest('a, button') !== null)
          document.activeElement.click();
        else if (shown !== null) navigate(`/tasks/${shown.task.key}`);
      },
      isQuiet: true,
    },
  ]);
  useEffect(() => {
    if (at > 0) document.querySelector('[data-shown="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
}

function AllDone() {
  const list = useTaskList();
  const hasTasks = list.state === 'ready' && Object.keys(list.value.rows).length > 0;
  const hasProject = list.state === 'ready' && Object.keys(list.value.projects).length > 0;
  if (!hasProject)
    return (
      <Empty title="Welcome: begin with a project">
        <p>A guide leads from a folder to the first task, without a terminal.</p>
        <Link href="/start" className={`${buttonClass('primary')} mt-4`}>
          Begin
        </Link>
      </Empty>
    );
  return (
    <Empty title="Nothing waits for you">
      <p>{hasTasks ? 'Agents work on by themselves; what needs you appears here.' : 'Describe what should change.'}</p>
      <div className="mt-4 flex justify-center gap-2">
        <For least="operator">
          <Link href="/new" className={buttonClass('primary')}>
            New task
          </Link>
        </For>
        <Link href="/board" className={buttonClass('plain')}>
          Open the board
        </Link>
      </div>
    </Empty>
  );
}
