import { Ellipsis, Plus } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { For, useRole } from '../data/role.tsx';
import { useWaitingCount } from '../data/use-inbox.ts';
import { Menu } from '../ui/menu.tsx';
import { signOut } from './rail.tsx';
import { isAt, placesFor } from './rail-places.ts';

/** The way to the places on a phone. */
export function TabBar() {
  const [at, navigate] = useLocation();
  const waiting = useWaitingCount();
  const places = placesFor(useRole());
  const others = places
    .filter(({ hasTab }) => hasTab !== true)
    .map(({ name, path }) => ({
      id: path,
      label: name,
      onChoose: () => navigate(path),
    }));
  return (
    <nav
      aria-label="Places"
      className="fixed inset-x-0 bottom-0 z-20 grid h-14 auto-cols-fr grid-flow-col border-t border-line bg-panel md:hidden"
    >
      {places
        .filter(({ hasTab }) => hasTab === true)
        .map(({ name, path, icon: Icon }) => (
          <Link
            key={path}
            href={path}
            aria-current={isAt(path, at) ? 'page' : undefined}
            className={`relative flex flex-col items-center justify-center text-sm ${isAt(path, at) ? 'font-medium text-ink' : 'text-soft'}`}
          >
            <Icon size={18} aria-hidden />
            {name}
            {path === '/' && waiting > 0 ? (
              <span className="absolute top-1 left-1/2 ml-2 rounded-full bg-wait-well px-1.5 text-sm leading-4 font-medium text-wait">
                {waiting}
                <span className="sr-only"> waiting for you</span>
              </span>
            ) : null}
          </Link>
        ))}
      <For least="operator">
        <Link href="/new" className="flex flex-col items-center justify-center text-sm text-soft">
          <Plus size={18} aria-hidden />
          New
        </Link>
      </For>
      <Menu
        label="More places"
        kind="quiet"
        className="flex-col gap-0! py-0! font-normal!"
        items={[...others, { id: 'out', label: 'Sign out', onChoose: () => void signOut() }]}
      >
        <Ellipsis size={18} aria-hidden />
        More
      </Menu>
    </nav>
  );
}
