import type { AgentRun, SentMessage } from '@attractor/api';
import { Send, Square } from 'lucide-react';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { useDraft } from '../data/draft.ts';
import { useMay } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { Refused } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';
import { useDocked } from '../ui/use-docked.ts';

const ARRIVES: Readonly<Record<SentMessage['delivery'], string>> = {
  between_rounds: 'The agent reads it before its next step.',
  after_turn: 'The agent reads it after this turn.',
  next_run: 'The next agent reads it.',
};

type SteerBoxProps = {
  readonly taskId: string;
  readonly run: AgentRun;
  /** Its page has a button that stops the agent, which narrow screens scroll away. */
  readonly hasStop?: boolean;
  /** The agent waits for an answer: what is asked is not covered. */
  readonly waits?: boolean;
};

/** Says something to the agent at work, or stops it. */
export function SteerBox({ taskId, run, hasStop = false, waits = false }: SteerBoxProps) {
  const [text, setText] = useDraft(`${taskId}.steer`);
  const [interrupts, setInterrupts] = useState(false);
  const { busy, error, run: command } = useCommand();
  const may = useMay('operator');
  const send = async () => {
    if (text.trim() === '') return;
    const body = { text, ...(interrupts ? { interrupts } : {}) };
    const sent = await command(() => api.messages.send(taskId, body));
    if (sent === null) return;
    setText('');
    toast(ARRIVES[sent.delivery]);
  };
  const docked = useDocked<HTMLElement>();
  if (!may) return null;
  return (
    <section
      ref={docked}
      aria-label="Steer the agent"
      className={`mt-4 flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3 ${waits ? '' : 'sticky bottom-16 shadow-menu md:bottom-3'}`}
    >
      <MessageField
        label="Say something to the agent"
        value={text}
        rows={1}
        onChange={setText}
        onSend={() => void send()}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button isBusy={busy} disabled={text.trim() === ''} onClick={() => void send()}>
          <Send size={13} aria-hidden /> Send
        </Button>
        <label className="inline-flex min-h-control items-center gap-2 text-sm text-soft">
          <input
            type="checkbox"
            className="size-4"
            checked={interrupts}
            onChange={(event) => setInterrupts(event.target.checked)}
          />
          Interrupt its work
        </label>
        <Button
          kind="danger"
          className={`ml-auto ${hasStop ? 'md:hidden' : ''}`}
          isBusy={busy}
          onClick={() => void command(() => api.runs.stop(run.id))}
        >
          <Square size={12} aria-hidden fill="currentColor" /> Stop
        </Button>
      </div>
      <Refused error={error} />
    </section>
  );
}
