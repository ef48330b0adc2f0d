import { randomUUID } from 'node:crypto';
import type { AgentSession, DeliveredEvent } from '@attractor/agent';

type See = (event: DeliveredEvent) => void;

/**
 * What a model says is shown line by line, as MessageDisplay hooks have it: they are told of each whole line, and of the end of a message.
 * The conversation itself stays as it was said.
 */
export function displayedBy(
  session: Pick<AgentSession, 'fireHook'>,
  see: See,
): (event: DeliveredEvent) => Promise<void> {
  let turn = randomUUID();
  let message = begun();
  let isShown = true;
  const show = async (event: DeliveredEvent, delta: string, final: boolean): Promise<void> => {
    const about = { turn_id: turn, message_id: message.id, index: message.index, final, delta };
    const { display } = await session.fireHook('MessageDisplay', about);
    message = final ? begun() : { ...message, index: message.index + 1 };
    const text = display ?? delta;
    if (text !== '') isShown = true;
    if (text !== '')
      see({ kind: 'ASSISTANT_TEXT_DELTA', text, seq: event.seq, at: event.at, sessionId: event.sessionId });
  };
  return async (event) => {
    if (event.kind === 'USER_INPUT') turn = randomUUID();
    if (event.kind === 'ASSISTANT_TEXT_DISCARDED') message = begun();
    if (event.kind === 'ASSISTANT_TEXT_DELTA') {
      const text = message.rest + event.text;
      const whole = text.lastIndexOf('\n') + 1;
      if (!message.isOpen) isShown = false;
      message = { ...message, rest: text.slice(whole), isOpen: true };
      if (whole > 0) await show(event, text.slice(0, whole), false);
      return;
    }
    if (event.kind === 'ASSISTANT_TEXT_END' && message.isOpen) await show(event, message.rest, true);
    // A message of which nothing was to be shown is not shown whole at its end either.
    const isHidden = event.kind === 'ASSISTANT_MESSAGE' && !isShown;
    see(isHidden ? { ...event, content: event.content.filter(({ kind }) => kind !== 'TEXT') } : event);
    if (event.kind === 'ASSISTANT_MESSAGE') isShown = true;
  };
}

type Message = { readonly id: string; readonly index: number; readonly rest: string; readonly isOpen: boolean };

function begun(): Message {
  return { id: randomUUID(), index: 0, rest: '', isOpen: false };
}
