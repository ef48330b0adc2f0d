import { Plus, Search } from 'lucide-react';
import { Link } from 'wouter';
import { useConnection } from '../data/connection.ts';
import { For } from '../data/role.tsx';
import { showKeys } from '../keys/show-keys.ts';
import { buttonClass } from '../ui/button.tsx';
import { KeyCaps } from '../ui/key-caps.tsx';
import { ProjectButton } from './project-switcher.tsx';

/** Over every place: find anything, begin a task, see whether what is shown is live. */
export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-10 flex h-bar items-center gap-3 border-b border-line bg-page px-4 md:px-6">
      <button
        type="button"
        onClick={onSearch}
        className="flex h-control min-w-0 flex-1 items-center gap-2 rounded-md border border-line bg-panel px-2.5 text-sm text-faint hover:border-edge md:max-w-[440px]"
      >
        <Search size={14} aria-hidden />
        <span className="truncate">Search or do something…</span>
        <span className="ml-auto hidden md:inline-flex">
          <KeyCaps keys={showKeys('mod+k')} />
        </span>
      </button>
      <ProjectButton />
      <span className="ml-auto">
        <LiveMark />
      </span>
      <For least="operator">
        <Link href="/new" className={`${buttonClass('plain')} max-md:hidden`}>
          <Plus size={15} aria-hidden /> New task
        </Link>
      </For>
    </header>
  );
}

function LiveMark() {
  const connection = useConnection();
  return (
    <span className="flex items-center gap-1.5 text-sm text-faint" role="status">
      {connection === 'live' ? (
        <>
          <span aria-hidden className="size-1.5 rounded-full bg-good" />
          Live
        </>
      ) : null}
    </span>
  );
}
