import { once } from '@attractor/base';
import type { ChannelView, Delivery } from '@attractor/platform';
import { NOTIFICATION_TYPES } from '@attractor/store/types';
import { z } from 'zod';
import { id, list, time } from './shape.ts';

const quietHours = () => z.strictObject({ from: z.string(), to: z.string(), timeZone: z.string() });

/** The kinds of channels are not listed: each is a file of its own, and `kinds` names them. */
const channelAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      name: z.string(),
      type: z.string() as z.ZodType as z.ZodType<ChannelView['type']>,
      displayName: z.string(),
      enabled: z.boolean(),
      available: z.boolean(),
      failing: z.boolean(),
      target: z.string(),
      types: z.partialRecord(z.enum(NOTIFICATION_TYPES), z.boolean()),
      quietHours: z.union([quietHours(), z.enum(['inherit', 'none'])]),
    })
    .meta({ id: 'Channel' }),
);

export const savedChannelAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ channel: channelAnswer(), secret: z.string().nullable() }).meta({ id: 'SavedChannel' }),
);

export const notifyAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      publicUrl: z.string().nullable(),
      quietHours: quietHours().nullable(),
      channels: list(channelAnswer()),
      kinds: list(
        z.strictObject({
          type: z.string(),
          name: z.string(),
          fields: list(
            z.strictObject({
              field: z.string(),
              label: z.string(),
              isSecret: z.literal(true).exactOptional(),
              isOptional: z.literal(true).exactOptional(),
            }),
          ),
        }),
      ),
    })
    .meta({ id: 'NotifySettings' }),
);

const notification = (items: z.ZodType) =>
  z.strictObject({
    type: z.enum([...NOTIFICATION_TYPES, 'test', 'digest']),
    title: z.string(),
    body: z.string(),
    severity: z.enum(['info', 'success', 'warning', 'error']),
    critical: z.boolean(),
    context: z.strictObject({
      projectId: z.string(),
      projectName: z.string(),
      taskId: z.string().nullable(),
      taskTitle: z.string().nullable(),
      agentRunId: z.string().nullable(),
      appRoute: z.string(),
    }),
    prompt: z.strictObject({ id: z.string(), type: z.string(), contentHash: z.string() }).nullable(),
    text: z.string().exactOptional(),
    next: list(z.strictObject({ label: z.string(), command: z.string() })).exactOptional(),
    items,
    timestamp: time(),
  });

/** The parts of a digest are no digests. */
const wholeNotification = () =>
  notification(list(notification(z.tuple([])))) as z.ZodType as z.ZodType<Delivery['notification']>;

export const deliveryAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('dlv'),
      channel: z.string(),
      notification: wholeNotification(),
      state: z.enum(['due', 'held', 'sending', 'sent', 'given_up', 'digested', 'dropped']),
      attempts: z.number(),
      notBefore: z.number().nullable(),
      owner: z.string().nullable(),
      leaseUntil: z.number().nullable(),
      error: z.string().nullable(),
    })
    .meta({ id: 'Delivery' }),
);
