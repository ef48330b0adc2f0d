import type { AgentSession, SessionTurn } from '@attractor/api';
import { Bot, User } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAnswer, type Loaded } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { ToolCall } from '../../run/tool-call.tsx';
import { Tools, useTools } from '../../run/tools.ts';
import { counted, showControls, showCost, showTokens, turnsToRead, type TurnToRead } from '@attractor/api/shown';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Empty, Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { PlaceFailed } from '../../ui/place-failed.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { useCommand } from '../../ui/use-command.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { GoOn } from './go-on.tsx';
import { GoOnHere } from './go-on-here.tsx';

/** No event tells of a conversation: what a terminal adds to it is looked for. */
const EVERY_MS = 2_000;
const AT_REST_MS = 15_000;

/** One conversation, to be read and gone on with. */
export function SessionPlace({ id }: { readonly id: string }) {
  const session = useAnswer(['session', id], () => api.sessions.get(id), {
    every: ({ isInUse }) => (isInUse ? EVERY_MS : AT_REST_MS),
  });
  if (session.state === 'loading') return <PlaceLoading />;
  if (session.state === 'failed') return <PlaceFailed error={session.error} again={session.again} />;
  return <Page session={session.value} />;
}

function Page({ session }: { readonly session: AgentSession }) {
  const { id, title, cwd, model, turns, tokens, costUsd, updatedAt, forkedFrom, isInUse } = session;
  const shown = title === '' ? 'Nothing said yet' : showControls(title);
  usePageTitle(shown);
  return (
    <>
      <header>
        <p className="text-sm text-faint">
          <Link href="/sessions" className="underline underline-offset-2 hover:text-ink">
            Sessions
          </Link>
        </p>
        <h1 className="mt-0.5 text-lg font-semibold tracking-tight break-words">{shown}</h1>
        <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-soft">
          <code className="font-mono wrap-anywhere">{showControls(cwd)}</code>
          {model === null ? null : <span>{showControls(model)}</span>}
          <span>{counted(turns, 'turn')}</span>
          <span>{showTokens(tokens)} tokens</span>
          <span>{showCost(costUsd)}</span>
          <Ago at={updatedAt} />
          {isInUse ? <span className="text-work">in use now</span> : null}
        </p>
        {forkedFrom === null ? null : (
          <p className="mt-1 text-sm text-soft">
            It shares its past with{' '}
            <Link
              href={`/sessions/${forkedFrom.sessionId}?turn=${forkedFrom.turn}`}
              className="underline underline-offset-2"
            >
              another session
            </Link>{' '}
            up to turn {forkedFrom.turn}.
          </p>
        )}
      </header>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          <Turns id={id} count={turns} />
          <GoOnHere id={id} turns={turns} isInUse={isInUse} />
        </div>
        <GoOn session={session} />
      </div>
    </>
  );
}

const PAGE = 200;

/** Page by page: a long conversation is loaded as somebody reads on. */
function Turns({ id, count }: { readonly id: string; readonly count: number }) {
  const [wanted] = useAddressValue('turn');
  const [after, setAfter] = useState(() => Math.max(0, Math.floor((Number(wanted ?? 1) - 1) / PAGE) * PAGE));
  const page = useAnswer(['session', id, 'turns', after], () => api.sessions.turns(id, { after, limit: PAGE }));
  const tools = useTools();
  useShownTurn(page, wanted);
  useNewTurns(page, count);
  if (page.state === 'loading') return <Loading lines={8} />;
  if (page.state === 'failed') return <LoadFailed error={page.error} again={page.again} />;
  if (page.value.length === 0) return <Empty title="Nothing was said yet" />;
  return (
    <Tools value={tools}>
      <div className="min-w-0">
        {after === 0 ? null : <Button onClick={() => setAfter(Math.max(0, after - PAGE))}>Earlier turns</Button>}
        <ol aria-label="Conversation" className="flex flex-col gap-3 pb-1">
          {turnsToRead(page.value).map((said) => (
            <li key={said.turn} id={`turn-${said.turn}`} className="scroll-mt-16">
              <SaidTurn id={id} said={said} isWanted={String(said.turn) === wanted} />
            </li>
          ))}
        </ol>
        {after + PAGE >= count ? null : <Button onClick={() => setAfter(after + PAGE)}>Later turns</Button>}
      </div>
    </Tools>
  );
}

/** What was said since the page was read is read, too. */
function useNewTurns(page: Loaded<ReadonlyArray<SessionTurn>>, count: number): void {
  const known = useRef(count);
  useEffect(() => {
    if (page.state !== 'ready' || known.current === count) return;
    known.current = count;
    page.again();
  }, [page, count]);
}

/** A link to a turn leads to it. */
function useShownTurn(page: Loaded<ReadonlyArray<SessionTurn>>, wanted: string | null): void {
  const isReady = page.state === 'ready';
  useEffect(() => {
    if (isReady && wanted !== null) document.getElementById(`turn-${wanted}`)?.scrollIntoView({ block: 'start' });
  }, [isReady, wanted]);
}

type SaidTurnProps = { readonly id: string; readonly said: TurnToRead; readonly isWanted: boolean };

function SaidTurn({ id, said: { turn, kind, text, at, tools }, isWanted }: SaidTurnProps) {
  const Icon = kind === 'agent' ? Bot : User;
  return (
    <article
      aria-label={`Turn ${turn}, ${kind}`}
      className={`rounded-lg border px-4 py-3 ${isWanted ? 'border-ink' : 'border-line'} ${kind === 'agent' ? 'bg-panel' : 'bg-idle-well'}`}
    >
      <p className="mb-1 flex items-center gap-2 text-sm text-soft">
        <Icon size={14} aria-hidden className="text-faint" />
        {kind === 'agent' ? 'Agent' : 'You'} <Ago at={at} />
        <span className="ml-auto">
          <ForkButton id={id} turn={turn} />
        </span>
      </p>
      {text === '' ? null : kind === 'agent' ? (
        <Markdown text={text} />
      ) : (
        <p className="break-words whitespace-pre-wrap">{showControls(text)}</p>
      )}
      {tools.length === 0 ? null : (
        <div className="mt-2 flex flex-col gap-1.5">
          {tools.map((tool) => (
            <ToolCall key={tool.key} tool={tool} liveOutput="" />
          ))}
        </div>
      )}
    </article>
  );
}

function ForkButton({ id, turn }: { readonly id: string; readonly turn: number }) {
  const [, navigate] = useLocation();
  const { busy, error, run } = useCommand();
  const fork = async () => {
    const forked = await run(() => api.sessions.fork(id, { turn }));
    if (forked === null) return;
    toast(`A session of its own, up to turn ${turn}`);
    navigate(`/sessions/${forked.id}`);
  };
  return (
    <>
      <Button
        kind="quiet"
        className="-my-2 -mr-3"
        isBusy={busy}
        aria-label={`Fork after turn ${turn}`}
        onClick={() => void fork()}
      >
        Fork here
      </Button>
      <Refused error={error} />
    </>
  );
}
