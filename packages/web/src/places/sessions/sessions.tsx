import type { AgentSession, SessionHit } from '@attractor/api';
import { MessagesSquare } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useMay, whoMay } from '../../data/role.tsx';
import { showControls, showCost } from '@attractor/api/shown';
import { TextField } from '../../ui/field.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Ago } from '../../ui/time.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';

const SHOWN = 100;

/** Conversations with the agent in a terminal: to find, to read, and to go on with. */
export function SessionsPlace() {
  const may = useMay('admin');
  const [given, setGiven] = useAddressValue('text');
  const [text, setText] = useState(given ?? '');
  const wanted = useDeferredValue(text.trim());
  return (
    <>
      <PageHead title="Sessions" about="Conversations with the agent in a terminal on the server’s machine" />
      {may ? (
        <>
          <div className="mb-4 max-w-[480px]">
            <TextField
              label="Search everything that was said and done"
              type="search"
              value={text}
              onChange={(next) => {
                setText(next);
                setGiven(next.trim() === '' ? null : next);
              }}
            />
          </div>
          {wanted === '' ? <SessionList /> : <Hits text={wanted} />}
        </>
      ) : (
        <Empty title="Sessions are for admins">{whoMay('admin', 'read the conversations of this machine')}</Empty>
      )}
    </>
  );
}

function SessionList() {
  const sessions = useAnswer(['sessions'], () => api.sessions.list({ limit: SHOWN }));
  if (sessions.state === 'loading') return <Loading />;
  if (sessions.state === 'failed') return <LoadFailed error={sessions.error} again={sessions.again} />;
  if (sessions.value.length === 0)
    return (
      <Empty title="No conversation yet">
        Type <code className="font-mono text-ink">attractor</code> in a folder on the server’s machine to talk with the
        agent; conversations are kept and shown here.
      </Empty>
    );
  return (
    <ul aria-label="Sessions" className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel">
      {sessions.value.map((session) => (
        <li key={session.id} className="lazy">
          <SessionLink session={session} path={`/sessions/${session.id}`}>
            {null}
          </SessionLink>
        </li>
      ))}
    </ul>
  );
}

function Hits({ text }: { readonly text: string }) {
  const hits = useAnswer(['sessions', 'search', text], () => api.sessions.search({ text, limit: SHOWN }));
  if (hits.state === 'loading') return <Loading />;
  if (hits.state === 'failed') return <LoadFailed error={hits.error} again={hits.again} />;
  if (hits.value.length === 0) return <Empty title="Nothing was found">No conversation contains these words.</Empty>;
  return (
    <ul aria-label="Found" className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel">
      {hits.value.map((hit) => (
        <li key={`${hit.session.id} ${hit.turn}`} className="lazy">
          <Hit hit={hit} text={text} />
        </li>
      ))}
    </ul>
  );
}

function Hit({ hit: { session, turn, excerpt }, text }: { readonly hit: SessionHit; readonly text: string }) {
  const shown = showControls(excerpt);
  const at = shown.toLowerCase().indexOf(text.toLowerCase());
  const [from, to] = at === -1 ? [0, 0] : [at, at + text.length];
  return (
    <SessionLink session={session} path={`/sessions/${session.id}?turn=${turn}`}>
      <span className="block text-soft">
        turn {turn}: {shown.slice(0, from)}
        <mark className="rounded-sm bg-wait-well text-ink">{shown.slice(from, to)}</mark>
        {shown.slice(to)}
      </span>
    </SessionLink>
  );
}

type SessionLinkProps = {
  readonly session: AgentSession;
  readonly path: string;
  readonly children: React.ReactNode;
};

function SessionLink({ session, path, children }: SessionLinkProps) {
  const { title, cwd, model, turns, costUsd, updatedAt, isInUse } = session;
  return (
    <Link href={path} className="flex gap-2.5 px-4 py-2.5 text-sm -outline-offset-2 hover:bg-well">
      <MessagesSquare size={15} aria-hidden className="mt-0.5 shrink-0 text-faint" />
      <span className="min-w-0 flex-1">
        <span title={showControls(title)} className="block truncate font-medium">
          {title === '' ? 'Nothing said yet' : showControls(title)}
        </span>
        {children}
        <span className="flex flex-wrap gap-x-3 text-faint">
          <span className="min-w-0 truncate font-mono">{showControls(cwd)}</span>
          <span>
            {turns} {turns === 1 ? 'turn' : 'turns'}
          </span>
          <span>{showCost(costUsd)}</span>
          {model === null ? null : <span>{showControls(model)}</span>}
          <Ago at={updatedAt} />
          {isInUse ? <span className="text-work">in use now</span> : null}
        </span>
      </span>
    </Link>
  );
}
