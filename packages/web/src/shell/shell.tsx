import { covers } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useConnection } from '../data/connection.ts';
import { useRole } from '../data/role.tsx';
import { isLive } from '../data/use-live.ts';
import { type Act, useActs } from '../keys/acts.ts';
import { useKeyboard } from '../keys/use-keyboard.ts';
import { useSendOnLeave } from '../undo/hold-back.ts';
import { Toasts, undoLast } from '../ui/toast.tsx';
import { News } from './news.tsx';
import { Rail } from './rail.tsx';
import { placesFor } from './rail-places.ts';
import { TabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useScroll } from './use-scroll.ts';
import { useTabMarks } from './use-tab-marks.ts';
import { late } from '../data/late.ts';

const Palette = late(() => import('./palette.tsx').then((part) => part.Palette));
const KeySheet = late(() => import('./key-sheet.tsx').then((part) => part.KeySheet));

type ShellProps = { readonly name: string; readonly role: string; readonly children: ReactNode };

/** What stands around every place. */
export function Shell({ name, role, children }: ShellProps) {
  const [over, setOver] = useState<'palette' | 'keys' | null>(null);
  useKeyboard();
  useTabMarks();
  useScroll();
  useReturnAfterLoss();
  useSendOnLeave();
  useFocusOnPlace();
  useActs(useShellActs(setOver));
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:bg-raised focus:p-2"
      >
        Skip to content
      </a>
      <Rail name={name} role={role} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onSearch={() => setOver('palette')} />
        <LostBanner />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 pt-5 pb-24 md:px-6 md:pb-10">
          {children}
        </main>
      </div>
      <TabBar />
      <Toasts />
      <News />
      <Suspense fallback={null}>
        {over === 'palette' ? <Palette onClose={() => setOver(null)} /> : null}
        {over === 'keys' ? <KeySheet onClose={() => setOver(null)} /> : null}
      </Suspense>
    </div>
  );
}

function useShellActs(setOver: (over: 'palette' | 'keys') => void): ReadonlyArray<Act> {
  const [, navigate] = useLocation();
  const role = useRole();
  return [
    {
      id: 'palette',
      label: 'Search or do something',
      group: 'Everywhere',
      keys: 'mod+k',
      run: () => setOver('palette'),
      isQuiet: true,
    },
    { id: 'search', label: 'Search', group: 'Everywhere', keys: '/', run: () => setOver('palette'), isQuiet: true },
    ...(covers(role, 'operator')
      ? [{ id: 'new', label: 'New task', group: 'Everywhere', keys: 'c', run: () => navigate('/new') }]
      : []),
    { id: 'begin', label: 'Begin: the guide to a first task', group: 'Everywhere', run: () => navigate('/start') },
    { id: 'undo', label: 'Undo the last action', group: 'Everywhere', keys: 'z', run: undoLast, isQuiet: true },
    { id: 'keys', label: 'Show the keys', group: 'Everywhere', keys: '?', run: () => setOver('keys') },
    { id: 'back', label: 'Back', group: 'Everywhere', keys: 'Escape', run: goBack, isQuiet: true },
    ...placesFor(role).map(({ name, path, letter }) => ({
      id: `go ${path}`,
      label: `Go to ${name}`,
      group: 'Places',
      keys: `g ${letter}`,
      run: () => navigate(path),
    })),
  ];
}

/** Never out of the app: what a link from elsewhere opened has nothing of ours behind it. */
function goBack(): void {
  if (!('navigation' in window) || window.navigation.canGoBack) history.back();
}

/** After a lost connection everything that has no stream of its own is asked for again. */
function useReturnAfterLoss(): void {
  const cache = useQueryClient();
  const connection = useConnection();
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === 'lost') wasLost.current = true;
    if (connection !== 'live' || !wasLost.current) return;
    wasLost.current = false;
    void cache.invalidateQueries({ predicate: ({ queryKey, state }) => !isLive(queryKey) || state.status === 'error' });
  }, [cache, connection]);
}

/** A new place is read from its beginning, also by those who hear it. */
function useFocusOnPlace(): void {
  const [path] = useLocation();
  const before = useRef(path);
  useEffect(() => {
    const main = document.getElementById('main');
    // A place may have begun with one of its fields.
    const isInside = main !== document.activeElement && main?.contains(document.activeElement) === true;
    if (before.current !== path && !isInside) main?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
}

function LostBanner() {
  const connection = useConnection();
  // Only a region that is there before its words is read out by every reader.
  return (
    <div role="status" className="sticky top-bar z-10">
      {connection === 'lost' ? (
        <p className="late bg-wait-well px-4 py-1.5 text-center text-sm text-wait">
          Connection lost. Reconnecting; nothing is missed meanwhile, and what you write is kept.
        </p>
      ) : null}
    </div>
  );
}
