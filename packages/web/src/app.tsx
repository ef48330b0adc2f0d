import { useEffect, useRef, useState } from 'react';
import { Link, Route, Switch } from 'wouter';
import { useConnection } from './connection.ts';
import { RunScreen } from './run/run.tsx';
import { beginSession, type SignedIn } from './session.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { TaskScreen } from './task/task.tsx';
import { TasksScreen } from './tasks/tasks.tsx';
import { Empty, Loading } from './ui/notice.tsx';
import { ThemeButton } from './ui/theme.tsx';

export function App() {
  const [session, setSession] = useState<SignedIn | null>(null);
  const begun = useRef(false);
  useEffect(() => {
    // The key in the address works once: a second call would find it used.
    if (begun.current) return;
    begun.current = true;
    void beginSession().then(setSession);
  }, []);
  if (session === null) return <Loading />;
  if (!session.ok) return <SignIn message={session.message} onSignedIn={setSession} />;
  return (
    <Signed name={session.name} onSignedOut={() => setSession({ ok: false, message: 'Your session has ended.' })} />
  );
}

function Signed({ name, onSignedOut }: { readonly name: string; readonly onSignedOut: () => void }) {
  const connection = useConnection();
  useEffect(() => {
    if (connection === 'signed_out') onSignedOut();
  }, [connection, onSignedOut]);
  return (
    <>
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:m-2 focus:bg-panel focus:p-2">
        Skip to content
      </a>
      <TopBar name={name} />
      <main id="main" className="mx-auto w-full max-w-[1180px] px-4 pt-5 pb-20 sm:px-6">
        <Switch>
          <Route path="/" component={TasksScreen} />
          <Route path="/tasks/:id">{({ id }) => <TaskScreen key={id} taskId={id} />}</Route>
          <Route path="/runs/:id">{({ id }) => <RunScreen key={id} runId={id} />}</Route>
          <Route>
            <Empty title="There is no such page">
              <Link href="/" className="underline underline-offset-2">
                Go to the tasks
              </Link>
            </Empty>
          </Route>
        </Switch>
      </main>
    </>
  );
}

function TopBar({ name }: { readonly name: string }) {
  const connection = useConnection();
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-panel">
      <div className="mx-auto flex h-11 max-w-[1180px] items-center gap-4 px-4 sm:px-6">
        <Link href="/" className="flex items-center gap-2 font-semibold tracking-tight">
          <img src="/favicon.svg" alt="" width={20} height={20} />
          Attractor
        </Link>
        <span className="ml-auto flex items-center gap-1.5 text-[12px] text-faint" role="status">
          {connection === 'live' ? (
            <>
              <span aria-hidden className="size-1.5 rounded-full bg-good" />
              Live
            </>
          ) : null}
        </span>
        <span className="text-[12px] text-faint" title="Signed in">
          {name}
        </span>
        <ThemeButton />
      </div>
      {connection === 'lost' ? (
        <p role="status" className="late bg-wait-well px-4 py-1.5 text-center text-[13px] text-wait">
          Connection lost. Reconnecting; nothing is missed meanwhile.
        </p>
      ) : null}
    </header>
  );
}
