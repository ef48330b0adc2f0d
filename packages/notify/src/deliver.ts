import type { Redactor } from '@attractor/redact';
import {
  appendEvents,
  PROMPT_TYPES,
  type Delivery,
  findPrompt,
  insertDelivery,
  listOpenDeliveries,
  mintReply,
  NO_PROJECT,
  type Notification,
  ownerState,
  type Prompt,
  setFailing,
  settleDelivery,
  type Settlement,
  type Store,
  takeDelivery,
  type Tx,
} from '@attractor/store';
import type { Channel, OutgoingNotification, ReplyTo, SendResult } from './channel.ts';
import { digestOf } from './digest.ts';
import { backOff, nextMove, type Pace } from './next-move.ts';

export type Delivering = {
  readonly name: string;
  readonly channel: Channel;
  readonly isQuiet: boolean;
  readonly publicUrl: string | null;
  readonly redactor: Redactor;
  readonly owner: string;
  readonly pace: Pace;
  /** Aborted when the process is about to close; a delivery under way is then sent again later. */
  readonly closing: AbortSignal;
};

const OPEN_SHOWN = 60;
const LEASE_MS = 30_000;
const MAX_ATTEMPTS = 6;

/** Makes the channel's next move; false if there is none now. */
export async function deliverNext(store: Store, on: Delivering): Promise<boolean> {
  const now = await store.now();
  const open = await listOpenDeliveries(store.read, on.name, { limit: OPEN_SHOWN });
  const facts = { now, isQuiet: on.isQuiet, ownerOf: ownerState };
  if (nextMove(open, facts).do === 'nothing') return false;
  const taken = await store.transact(async (tx): Promise<Taken | 'again' | null> => {
    const move = nextMove(await listOpenDeliveries(tx, on.name, { limit: OPEN_SHOWN }), facts);
    if (move.do === 'nothing') return null;
    if (move.do === 'send') return take(tx, move.delivery, { ...on, leaseUntil: now + LEASE_MS });
    await combine(tx, move.deliveries, on.name);
    return 'again';
  });
  if (taken === null) return false;
  if (taken !== 'again') await settle(store, on, { ...taken, sent: await send(on, taken.outgoing) });
  return true;
}

type Taken = { readonly delivery: Delivery; readonly outgoing: OutgoingNotification };

/** A question that was answered meanwhile is not sent. */
async function take(
  tx: Tx,
  delivery: Delivery,
  on: Delivering & { readonly leaseUntil: number },
): Promise<Taken | 'again'> {
  const { notification } = delivery;
  const items: Notification[] = [];
  for (const item of notification.items) if (await isStillAsked(tx, item)) items.push(item);
  const isEmptied = notification.items.length > 0 && items.length === 0;
  if (isEmptied || !(await isStillAsked(tx, notification))) {
    await settleDelivery(tx, delivery, { state: 'dropped' });
    return 'again';
  }
  const current = items.length === notification.items.length ? notification : digestOf(items);
  const taken = await takeDelivery(tx, delivery, on);
  const { publicUrl } = on;
  const { appRoute } = current.context;
  return {
    delivery: taken,
    outgoing: {
      deliveryId: delivery.id,
      notification: current,
      link: publicUrl === null ? null : `${publicUrl}${appRoute}`,
      replies: publicUrl === null || !on.channel.canReply ? [] : await mintReplies(tx, current, { ...on, publicUrl }),
    },
  };
}

async function isStillAsked(tx: Tx, { prompt }: Notification): Promise<boolean> {
  return prompt === null || (await findPrompt(tx, prompt.id))?.status === 'pending';
}

async function mintReplies(
  tx: Tx,
  notification: Notification,
  { name, publicUrl }: { readonly name: string; readonly publicUrl: string },
): Promise<ReadonlyArray<ReplyTo>> {
  const replies: ReplyTo[] = [];
  for (const { prompt: asked } of [notification, ...notification.items]) {
    const prompt = asked === null ? null : await findPrompt(tx, asked.id);
    if (prompt === null) continue;
    const token = await mintReply(tx, prompt, name);
    replies.push({
      promptId: prompt.id,
      promptType: prompt.type,
      contentHash: prompt.contentHash,
      decisions: decisionsOf(prompt),
      url: `${publicUrl}/api/prompts/${prompt.id}/respond`,
      token,
    });
  }
  return replies;
}

/** Those that lead somewhere. */
function decisionsOf({ type, payload }: Prompt): ReadonlyArray<string> {
  const ways = 'answers' in payload ? payload.answers : undefined;
  return PROMPT_TYPES[type].decisions.filter((decision) => ways === undefined || decision in ways);
}

async function combine(tx: Tx, deliveries: ReadonlyArray<Delivery>, channel: string): Promise<void> {
  const still: Delivery[] = [];
  for (const delivery of deliveries) {
    const asked = await isStillAsked(tx, delivery.notification);
    const settled = await settleDelivery(tx, delivery, { state: asked ? 'digested' : 'dropped' });
    if (asked && settled) still.push(delivery);
  }
  const [first] = still;
  if (first === undefined) return;
  const notification = still.length === 1 ? first.notification : digestOf(still.map((one) => one.notification));
  await insertDelivery(tx, { channel, dedupKey: `digest:${first.id}`, state: 'due', notification });
}

/** Ends in time, whatever the channel does. */
async function send({ channel, closing, pace }: Delivering, outgoing: OutgoingNotification): Promise<SendResult> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(pace.sendMs)]);
  const late = Promise.withResolvers<SendResult>();
  const onAbort = (): void => late.resolve({ ok: false, message: 'It did not answer in time', retryable: true });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([channel.send(outgoing, signal), late.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function settle(store: Store, on: Delivering, end: Taken & { readonly sent: SendResult }): Promise<void> {
  const { delivery, sent } = end;
  const now = await store.now();
  await store.transact(async (tx) => {
    const settlement = settlementOf(delivery, sent, { ...on, now });
    if (!(await settleDelivery(tx, delivery, settlement))) return;
    if (settlement.state === 'sent') await setFailing(tx, on.name, 'working');
    if (settlement.state === 'given_up' && (await setFailing(tx, on.name, 'failing')))
      await appendEvents(tx, [failingEvent(on.name, delivery, settlement.error ?? '')]);
  });
}

function settlementOf({ attempts }: Delivery, sent: SendResult, on: Delivering & { readonly now: number }): Settlement {
  if (sent.ok) return { state: 'sent' };
  if (on.closing.aborted) return { state: 'due', notBefore: on.now, attempts: attempts - 1 };
  const error = on.redactor.text(sent.message);
  if (!sent.retryable || attempts >= MAX_ATTEMPTS) return { state: 'given_up', error };
  return { state: 'due', notBefore: on.now + backOff(attempts, on.pace, sent.retryAfterMs), attempts, error };
}

/** Reported once each time a channel breaks, however many deliveries failed. */
function failingEvent(channel: string, { notification, attempts }: Delivery, error: string) {
  return {
    projectId: notification.context.projectId === '' ? NO_PROJECT : notification.context.projectId,
    taskId: notification.context.taskId,
    type: 'notify.channel_failing',
    summary: `The channel ${channel} can't be reached, given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${error}`,
    data: { channel, error },
    actor: { type: 'system', name: `channel:${channel}` },
  } as const;
}
