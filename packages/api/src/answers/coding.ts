import { SESSION_STAGES } from '@attractor/facts';
import { once } from '@attractor/base';
import { z } from 'zod';
import { plan, proposal, question } from './prompt.ts';
import { id, list, time } from './shape.ts';

/** Absent: nothing of the kind. */
const text = () => z.string().exactOptional();

const pendingAction = () =>
  z.strictObject({
    type: z.string().meta({ description: '`run_command`, `create_file`, …, or what is asked: `plan_approval`, …' }),
    command: text(),
    path: text(),
    title: z.string(),
    text: z.string().meta({ description: 'All that is shown.' }),
    questions: list(question()).exactOptional(),
    options: list(proposal()).exactOptional(),
    prompt_id: z.string().nullable(),
    key: z.string().nullable(),
    content_hash: z.string().nullable().meta({ description: 'An answer with it counts for exactly what was shown.' }),
  });

const completedAction = () =>
  z.strictObject({
    action: z.string(),
    path: text(),
    command: text(),
    status: z.enum(['success', 'error', 'rejected']),
    at: time(),
  });

const session = () => ({
  session_id: id('tsk'),
  mode: z.literal('coding'),
  stage: z.enum(SESSION_STAGES),
  query: z.string(),
  clarified_query: z.string().nullable(),
  plan: z
    .union([plan().extend({ text: z.string() }), z.strictObject({ text: z.string() })])
    .nullable()
    .meta({ description: 'Its text and, if that has the form, the same as data.' }),
  pending_action: pendingAction().nullable().meta({ description: 'Present exactly while a person is awaited.' }),
  completed_actions: list(completedAction()),
  created_at: time(),
  updated_at: time(),
});

export const codingSessionAnswer = /* @__PURE__ */ once(() =>
  z.strictObject(session()).meta({ id: 'CodingSession', description: 'A task on its way from request to change.' }),
);

/** The session, and at which checkpoint it pauses. */
export const codingReplyAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      status: z.enum(['running', 'paused', 'completed', 'cancelled', 'failed']),
      checkpoint: z.enum(['clarification', 'plan_approval', 'tool_approval']).nullable(),
      ...session(),
    })
    .meta({ id: 'CodingReply' }),
);
