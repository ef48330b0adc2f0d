import { Link, useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { useRole } from '../data/role.tsx';
import { useWaitingCount } from '../data/use-inbox.ts';
import { sendHeld } from '../undo/hold-back.ts';
import { Menu } from '../ui/menu.tsx';
import { showControls } from '@attractor/api/shown';
import { ThemeButton } from '../ui/theme.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { isAt, placesFor } from './rail-places.ts';

type RailProps = { readonly name: string; readonly role: string };

/** The way to every place, on the left of a wide window. */
export function Rail({ name, role }: RailProps) {
  return (
    <aside
      aria-label="Rail"
      className="sticky top-0 hidden h-dvh w-[220px] shrink-0 flex-col gap-4 border-r border-line bg-panel px-3 py-3 md:flex"
    >
      <Link href="/" className="flex h-8 items-center gap-2 px-2 font-semibold tracking-tight">
        <img src="/favicon.svg" alt="" width={20} height={20} />
        Attractor
      </Link>
      <ProjectSwitcher />
      <RailLinks />
      <div className="mt-auto flex items-center gap-1">
        <Menu
          label={`Signed in as ${name}`}
          kind="quiet"
          className="min-w-0 flex-1 justify-start! px-2!"
          items={[{ id: 'out', label: 'Sign out', onChoose: () => void signOut() }]}
        >
          <span className="flex min-w-0 flex-col items-start">
            <span className="max-w-full truncate">{showControls(name)}</span>
            <span className="font-normal text-faint">{role}</span>
          </span>
        </Menu>
        <ThemeButton />
      </div>
    </aside>
  );
}

export async function signOut(): Promise<void> {
  await sendHeld();
  await api.access.logout();
  location.assign('/');
}

function RailLinks() {
  const [at] = useLocation();
  const waiting = useWaitingCount();
  return (
    <nav aria-label="Places" className="flex flex-col gap-0.5">
      {placesFor(useRole()).map(({ name, path, icon: Icon }) => {
        const here = isAt(path, at);
        return (
          <Link
            key={path}
            href={path}
            aria-current={here ? 'page' : undefined}
            className={`flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm ${here ? 'bg-well font-medium text-ink' : 'text-soft hover:bg-well hover:text-ink'}`}
          >
            <Icon size={16} aria-hidden />
            {name}
            {path === '/' && waiting > 0 ? <Count count={waiting} /> : null}
          </Link>
        );
      })}
    </nav>
  );
}

function Count({ count }: { readonly count: number }) {
  return (
    <span className="ml-auto inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-wait-well px-1.5 text-sm font-medium text-wait tabular-nums">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}
