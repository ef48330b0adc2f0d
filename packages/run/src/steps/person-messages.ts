import type { Agent, PersonMessage } from '@attractor/adapters';
import {
  appendEvents,
  deliverMessage,
  findLastInput,
  listMessages,
  type MessageVia,
  type TaskMessage,
  type Tx,
} from '@attractor/store';
import { eventOf, type RunContext } from '../run-context/run-context.ts';

const HOW: Readonly<Record<MessageVia, string>> = {
  prompt: 'with its prompt',
  steering: 'between two rounds',
  input: 'after its turn',
};

/** Records that this run's agent got the message, once. */
export async function recordDelivery(tx: Tx, context: RunContext, { id, via }: Delivery): Promise<void> {
  const message = await deliverMessage(tx, id, { runId: context.state.run.id, via });
  if (message === null) return;
  const summary = `The agent received it ${HOW[via]}: ${shortened(message.text)}`;
  await appendEvents(tx, [
    eventOf(context, { type: 'message.delivered', summary, data: { messageId: message.id, via } }),
  ]);
}

type Delivery = { readonly id: string; readonly via: MessageVia };

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}

/** Messages that no agent of the task has received yet, in the form in which an agent takes them. */
export async function openMessages({ services, task }: RunContext): Promise<ReadonlyArray<PersonMessage>> {
  return (await listMessages(services.store.read, task.id, 'undelivered')).map(asGiven);
}

function asGiven({ id, text }: TaskMessage): PersonMessage {
  return { key: id, text };
}

/** The message that was handed to the agent as its own input. After a crash it is handed over again under the same key. */
export async function messageAtWork({ services, state }: RunContext): Promise<PersonMessage | null> {
  const message = await findLastInput(services.store.read, state.run.id);
  return message === null ? null : asGiven(message);
}

/** Turns the oldest undelivered message into the agent's next input. False if there is none, or if the agent takes no further input. */
export async function takeNextMessage(context: RunContext, { say }: Agent): Promise<boolean> {
  if (say === undefined || (await openMessages(context)).length === 0) return false;
  return context.transact(async (tx) => {
    const [next] = await listMessages(tx, context.task.id, 'undelivered');
    if (next === undefined) return false;
    await recordDelivery(tx, context, { id: next.id, via: 'input' });
    return true;
  });
}
