import { NO_LIVE_TEXT, type LiveText, type Piece, type RunView, type TranscriptTurn } from '@attractor/api';
import { Brain, ChevronRight, Info, TriangleAlert } from 'lucide-react';
import { memo, Suspense } from 'react';
import { showClock, showControls, showCost, showOutput, showTokens } from '@attractor/api/shown';
import { Markdown } from '../ui/markdown.tsx';
import { Loading } from '../ui/notice.tsx';
import { ToolCall } from './tool-call.tsx';
import { Tools, useTools } from './tools.ts';
import { late } from '../data/late.ts';

type TranscriptProps = { readonly view: RunView; readonly live: LiveText | undefined };

/** What the agent said and did, turn by turn; the last turn grows while it is written. */
export function Transcript({ view, live = NO_LIVE_TEXT }: TranscriptProps) {
  const tools = useTools();
  const running = view.run?.status === 'running';
  if (view.turns.length === 0 && live === NO_LIVE_TEXT) {
    return (
      <p className="px-4 py-6 text-faint">
        {running ? 'The agent has not said anything yet.' : showControls(view.run?.error ?? 'Nothing was said.')}
      </p>
    );
  }
  return (
    <Tools value={tools}>
      {view.turns.length > DRAWN_AT_ONCE ? (
        <Suspense fallback={<Loading lines={8} />}>
          <LongTranscript turns={view.turns} live={live} />
        </Suspense>
      ) : (
        <ol className="divide-y divide-line" aria-label="Transcript">
          {view.turns.map((turn, index) => (
            <li key={turn.key} className="px-4 py-3">
              <Turn turn={turn} number={index + 1} toolOutput={toolOutputOf(turn, live)} />
            </li>
          ))}
          {isWriting(live) ? (
            <li className="px-4 py-3" data-live>
              <LiveTurn live={live} number={view.turns.length + 1} />
            </li>
          ) : null}
        </ol>
      )}
    </Tools>
  );
}

/** More turns than these are drawn only where they are looked at. */
const DRAWN_AT_ONCE = 60;

const LongTurns = late(() => import('./long-turns.tsx').then((part) => part.LongTurns));

type LongTranscriptProps = { readonly turns: RunView['turns']; readonly live: LiveText };

function LongTranscript({ turns, live }: LongTranscriptProps) {
  return (
    <LongTurns
      count={turns.length + (isWriting(live) ? 1 : 0)}
      keyOf={(index) => turns[index]?.key ?? 'live'}
      renderTurn={(index) => {
        const turn = turns[index];
        return turn === undefined ? (
          <LiveTurn live={live} number={index + 1} />
        ) : (
          <Turn turn={turn} number={index + 1} toolOutput={toolOutputOf(turn, live)} />
        );
      }}
    />
  );
}

function isWriting({ text, thinking }: LiveText): boolean {
  return text !== '' || thinking !== '';
}

type TurnProps = {
  readonly turn: TranscriptTurn;
  readonly number: number;
  readonly toolOutput: LiveText['toolOutput'] | null;
};

/** Only turns with a running tool get live output, so that finished ones are not drawn again. */
function toolOutputOf(turn: TranscriptTurn, live: LiveText): LiveText['toolOutput'] | null {
  return turn.pieces.some((piece) => piece.kind === 'tool' && piece.result === null) ? live.toolOutput : null;
}

const Turn = memo(function Turn({ turn, number, toolOutput }: TurnProps) {
  return (
    <>
      <TurnHead number={number} turn={turn} />
      <div className="mt-1.5 flex flex-col gap-2">
        {turn.pieces.map((piece) => (
          <PieceBody key={piece.key} piece={piece} toolOutput={toolOutput} />
        ))}
      </div>
    </>
  );
});

function TurnHead({ number, turn }: { readonly number: number; readonly turn: TranscriptTurn }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-faint tabular-nums">
      <span className="font-semibold text-soft">Turn {number}</span>
      <span>{showClock(turn.at)}</span>
      {turn.spent === null ? null : (
        <span>
          {showTokens(turn.spent.inputTokens)} in · {showTokens(turn.spent.outputTokens)} out ·{' '}
          {showCost(turn.spent.costUsd)}
        </span>
      )}
    </p>
  );
}

function PieceBody({
  piece,
  toolOutput,
}: {
  readonly piece: Piece;
  readonly toolOutput: LiveText['toolOutput'] | null;
}) {
  if (piece.kind === 'text') return <Markdown text={piece.text} />;
  if (piece.kind === 'thinking') return <Thinking text={piece.text} />;
  if (piece.kind === 'tool') return <ToolCall tool={piece} liveOutput={toolOutput?.[piece.toolCallId] ?? ''} />;
  const tone = { info: 'text-soft', warning: 'text-wait', error: 'text-bad' }[piece.level];
  const Icon = piece.level === 'info' ? Info : TriangleAlert;
  return (
    <p className={`flex items-start gap-1.5 text-sm ${tone}`}>
      <Icon size={14} aria-hidden className="mt-0.5 shrink-0" />
      <span className="whitespace-pre-wrap">{showOutput(piece.text)}</span>
    </p>
  );
}

function Thinking({ text, open = false }: { readonly text: string; readonly open?: boolean }) {
  return (
    <details className="group text-soft" open={open}>
      <summary className="inline-flex min-h-link items-center gap-1.5 rounded text-sm text-faint hover:text-ink">
        <ChevronRight size={13} aria-hidden className="group-open:rotate-90" />
        <Brain size={13} aria-hidden />
        Thinking
      </summary>
      <div className="mt-1 border-l-2 border-line pl-3 text-sm whitespace-pre-wrap">{showOutput(text)}</div>
    </details>
  );
}

function LiveTurn({ live, number }: { readonly live: LiveText; readonly number: number }) {
  return (
    <>
      <p className="text-sm font-semibold text-work">
        Turn {number} <span className="font-normal">· writing</span>
      </p>
      <div className="mt-1.5 flex flex-col gap-2">
        {live.thinking === '' ? null : <Thinking text={live.thinking} open={live.text === ''} />}
        {live.text === '' ? null : <Markdown text={live.text} live />}
      </div>
    </>
  );
}
