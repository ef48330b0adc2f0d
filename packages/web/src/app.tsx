import type { Role } from '@attractor/api';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useConnection } from './data/connection.ts';
import { OwnRole } from './data/role.tsx';
import { beginSession, type SignedIn } from './data/session.ts';
import { ROUTES } from './routes.tsx';
import { PlaceLoading, Waiting } from './shell/place-loading.tsx';
import { Shell } from './shell/shell.tsx';
import { Boundary } from './ui/boundary.tsx';
import { late } from './data/late.ts';

const SignIn = late(() => import('./places/sign-in/sign-in.tsx').then((part) => part.SignIn));

const Nowhere = late(() => import('./places/nowhere/nowhere.tsx').then((part) => part.Nowhere));

/** Every part in every state: only while the app is developed, and without a server. */
const Design = import.meta.env.DEV
  ? late(() => import('./places/design/examples/design.tsx').then((part) => part.DesignPlace))
  : null;

export function App({ cache }: { readonly cache: QueryClient }) {
  if (Design !== null && location.pathname === '/design')
    return (
      <Suspense fallback={<OnTheWay />}>
        <Design />
      </Suspense>
    );
  return <Entrance cache={cache} />;
}

/** Who is not signed in signs in first. */
function Entrance({ cache }: { readonly cache: QueryClient }) {
  const [session, setSession] = useState<SignedIn | null>(null);
  const [isAway, setAway] = useState(false);
  const begun = useRef(false);
  useEffect(() => {
    // The key in the address works once: a second call would find it used.
    if (begun.current) return;
    begun.current = true;
    void beginSession(() => setAway(true)).then(setSession);
  }, []);
  if (session === null) return <OnTheWay isAway={isAway} />;
  if (!session.ok)
    return (
      <Suspense fallback={<OnTheWay />}>
        <SignIn message={session.message} onSignedIn={setSession} />
      </Suspense>
    );
  return (
    <QueryClientProvider client={cache}>
      <Signed
        name={session.name}
        role={session.role}
        onSignedOut={() => setSession({ ok: false, message: 'Your session has ended.' })}
      />
    </QueryClientProvider>
  );
}

function OnTheWay({ isAway = false }: { readonly isAway?: boolean }) {
  return (
    <main className="p-6">
      <Waiting title="Attractor" isAway={isAway} />
    </main>
  );
}

type SignedProps = { readonly name: string; readonly role: Role; readonly onSignedOut: () => void };

function Signed({ name, role, onSignedOut }: SignedProps) {
  const connection = useConnection();
  const [path] = useLocation();
  useEffect(() => {
    if (connection === 'signed_out') onSignedOut();
  }, [connection, onSignedOut]);
  return (
    <OwnRole value={role}>
      <Shell name={name} role={role}>
        <Boundary at={path}>
          <Suspense fallback={<PlaceLoading />}>
            <Switch>
              {ROUTES.map(({ path: own, body: Body }) => (
                <Route key={own} path={own}>
                  {({ id = '' }: { readonly id?: string }) => <Body key={id} id={id} />}
                </Route>
              ))}
              <Route>
                <Nowhere />
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </Shell>
    </OwnRole>
  );
}
