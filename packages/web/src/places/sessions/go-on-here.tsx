import type { LiveAsk, LiveSession } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Send, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { useCommand } from '../../ui/use-command.ts';

const EVERY_MS = 1_000;

type GoOnHereProps = { readonly id: string; readonly turns: number; readonly isInUse: boolean };

/** Goes on with the conversation here, as a terminal of its folder would. */
export function GoOnHere({ id, turns, isInUse }: GoOnHereProps) {
  const live = useAnswer(['session', id, 'live', turns], () => api.sessions.live(id), {
    // A terminal that has it open may ask something at any time.
    every: (now) => (now.isWorking || isInUse) && EVERY_MS,
  });
  const cache = useQueryClient();
  const isWorking = live.state === 'ready' && live.value.isWorking;
  const wasWorking = useRef(false);
  // What it has said by then belongs to the conversation.
  useEffect(() => {
    if (wasWorking.current && !isWorking) void cache.invalidateQueries({ queryKey: ['session', id] });
    wasWorking.current = isWorking;
  }, [cache, id, isWorking]);
  if (live.state !== 'ready') return null;
  const look = () => void cache.invalidateQueries({ queryKey: ['session', id] });
  return <Box id={id} live={live.value} isElsewhere={isInUse && !live.value.isWorking} look={look} />;
}

type BoxProps = {
  readonly id: string;
  readonly live: LiveSession;
  /** A terminal has it open. */
  readonly isElsewhere: boolean;
  readonly look: () => void;
};

function Box({ id, live, isElsewhere, look }: BoxProps) {
  const [text, setText] = useDraft(`session.${id}`);
  const { busy, error, run } = useCommand();
  const say = async () => {
    if (text.trim() === '') return;
    const said = await run(() => api.sessions.say(id, { text }));
    if (said !== null && said.problem === null) setText('');
    look();
  };
  return (
    <section
      aria-label="Go on"
      className="mt-3 flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3 text-sm"
    >
      {live.text === '' ? null : <Markdown text={live.text} />}
      {live.asks.map((ask) => (
        <Ask key={ask.id} id={id} ask={ask} look={look} />
      ))}
      {live.problem === null ? null : (
        <p role="alert" className="text-bad">
          {showControls(live.problem)}
        </p>
      )}
      <MessageField
        label={live.isWorking ? 'The agent is working; it reads this afterwards' : 'Say something to the agent'}
        value={text}
        onChange={setText}
        onSend={() => void say()}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" isBusy={busy} disabled={text.trim() === ''} onClick={() => void say()}>
          <Send size={13} aria-hidden /> Say it
        </Button>
        {live.isWorking ? (
          <Button kind="danger" isBusy={busy} onClick={() => void run(() => api.sessions.stop(id)).then(look)}>
            <Square size={12} aria-hidden fill="currentColor" /> Stop
          </Button>
        ) : null}
        {isElsewhere ? (
          <span className="text-soft">A terminal has it open; what is said there is shown here.</span>
        ) : null}
      </div>
      <Refused error={error} />
    </section>
  );
}

type AskProps = { readonly id: string; readonly ask: LiveAsk; readonly look: () => void };

/** What the agent may do, or wants to know. */
function Ask({ id, ask, look }: AskProps) {
  const [words, setWords] = useState('');
  const { busy, error, run } = useCommand();
  const answer = (isAllowed: boolean, said: string) =>
    void run(() => api.sessions.answer(id, { ask: ask.id, isAllowed, words: said })).then(look);
  const isQuestion = ask.kind === 'question';
  return (
    <div role="group" aria-label={ask.title} className="flex flex-col gap-2 rounded-md bg-wait-well p-3">
      <p className="font-medium">{ask.title}</p>
      <pre className="overflow-x-auto font-mono whitespace-pre-wrap">{showControls(ask.text)}</pre>
      {ask.why === '' ? null : <p className="text-soft">{showControls(ask.why)}</p>}
      <MessageField
        label={isQuestion ? 'In your own words' : 'If not, why'}
        value={words}
        rows={1}
        onChange={setWords}
      />
      <div className="flex flex-wrap gap-2">
        {ask.options.map((option) => (
          <Button key={option} isLong isBusy={busy} onClick={() => answer(true, option)}>
            {showControls(option)}
          </Button>
        ))}
        <Button kind="primary" isBusy={busy} onClick={() => answer(true, words)}>
          {isQuestion ? 'Answer' : 'Allow once'}
        </Button>
        {isQuestion ? null : (
          <Button isBusy={busy} onClick={() => answer(false, words)}>
            Deny
          </Button>
        )}
      </div>
      <Refused error={error} />
    </div>
  );
}
