import { done, failed, once } from '@attractor/base';
import type { Prompt } from '@attractor/platform';
import { type RawPrompt, readPrompt } from '@attractor/store/types';
import { z } from 'zod';
import { answeredAnswer, promptAnswer } from './answers/prompt.ts';
import { list } from './answers/shape.ts';
import type { Caller } from './access-rule.ts';
import type { Answer } from './failure.ts';
import { found } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { subtasksShape } from './task-shapes.ts';

const at = {
  list: 'GET /api/prompts',
  get: 'GET /api/prompts/:id',
  answer: 'POST /api/prompts/:id/answer',
  answerMany: 'POST /api/prompts/answers',
} as const;

/** `contentHash` repeats the prompt's own, so that an approval counts only for what was shown. */
export const answerBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    contentHash: z.string().min(1).max(200).exactOptional(),
    answer: z.strictObject({
      decision: z.enum(['approve', 'reject', 'changes', 'answer']),
      message: z.string().max(100_000).exactOptional(),
      plan: z
        .union([z.string().max(200_000), z.record(z.string(), z.unknown()).readonly()])
        .meta({ description: 'To approve in place of what was shown: markdown, JSON as a text, or the plan itself.' })
        .exactOptional(),
      subtasks: subtasksShape().exactOptional(),
      only: z.array(z.string().min(1).max(40)).min(1).max(100).readonly().exactOptional(),
      input: z.record(z.string(), z.unknown()).readonly().exactOptional(),
      remember: z
        .strictObject({
          rules: z.array(z.string().min(1).max(2_000)).max(100).readonly(),
          destination: z.enum(['session', 'localSettings', 'projectSettings', 'userSettings']),
        })
        .readonly()
        .exactOptional(),
      answers: z
        .array(z.strictObject({ questionId: z.string().min(1).max(200), answer: z.string().max(20_000) }))
        .max(100)
        .readonly()
        .exactOptional(),
    }),
  }),
);

/** Each is judged for itself, in order. */
const bulkAnswersBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    answers: z
      .array(answerBody().extend({ promptId: z.string().min(1) }))
      .min(1)
      .max(500)
      .readonly(),
  }),
);

/** The most that one call lists, and how many if nobody says. */
const LISTED = 1000;

const promptQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    taskId: z.string().exactOptional(),
    projectId: z.string().exactOptional(),
    status: z.enum(['pending', 'answered', 'cancelled']).exactOptional(),
    /** The last id of the page that is known: those that were asked after it. */
    after: z.string().exactOptional(),
    limit: z.coerce.number().int().min(1).max(LISTED).exactOptional(),
  }),
);

export type AnswerBody = z.infer<ReturnType<typeof answerBody>>;
export type BulkAnswersBody = z.infer<ReturnType<typeof bulkAnswersBody>>;

/** What was answered, and why the rest was not. */
export type AnsweredPrompts = {
  readonly done: ReadonlyArray<string>;
  readonly refused: ReadonlyArray<{ readonly promptId: string; readonly code: string; readonly message: string }>;
};

export type PromptQuery = Omit<z.input<ReturnType<typeof promptQuery>>, 'limit'> & { readonly limit?: number };

export { deviationLine, offeredAnswers, planProblemText, readPlanText, splitText } from '@attractor/store/types';
export type { Prompt, PromptAnswer, PromptOf, PromptType } from '@attractor/platform';

export function promptCalls(http: HttpOptions) {
  return {
    list: async (query: PromptQuery = {}): Promise<Answer<ReadonlyArray<Prompt>>> => {
      const prompts = await ask<ReadonlyArray<RawPrompt>>(http, at.list, { query });
      return prompts.ok ? { ...prompts, value: prompts.value.map(readPrompt) } : prompts;
    },
    get: async (id: string) => read(await ask<RawPrompt>(http, at.get, { params: { id } })),
    answer: async (id: string, body: AnswerBody) =>
      read(await ask<RawPrompt>(http, at.answer, { params: { id }, body })),
    answerMany: (body: BulkAnswersBody) => ask<AnsweredPrompts>(http, at.answerMany, { body }),
  };
}

function read(answer: Answer<RawPrompt>): Answer<Prompt> {
  return answer.ok ? { ok: true, value: readPrompt(answer.value) } : answer;
}

export const promptRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list what waits, or waited, for a person, the oldest first',
    access: ['viewer', 'visible'],
    answers: () => list(promptAnswer()),
    query: promptQuery,
    act: async ({ workflow, query: { limit = LISTED, ...query } }) => {
      const prompts = await workflow.listPrompts({ ...query, limit });
      const after = prompts.length < limit ? undefined : prompts.at(-1)?.id;
      return { ...done(prompts), left: after === undefined ? 0 : await workflow.countPrompts({ ...query, after }) };
    },
  }),
  get: route(at.get, {
    about: 'show a question',
    access: ['viewer', 'named'],
    answers: promptAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getPrompt(id), `question ${id}`),
  }),
  answer: route(at.answer, {
    about: 'answer a question',
    access: ['operator', 'named'],
    answers: promptAnswer,
    body: answerBody,
    act: async ({ workflow, params, body, actor, caller }) =>
      tooFar(caller, body) ?? workflow.answerPrompt({ promptId: params.id, ...body }, actor),
  }),
  answerMany: route(at.answerMany, {
    about: 'answer several questions, each for itself',
    access: ['operator', 'named'],
    answers: answeredAnswer,
    body: bulkAnswersBody,
    act: async ({ workflow, body, actor, caller }) => {
      const answeredIds: string[] = [];
      const refused: Array<AnsweredPrompts['refused'][number]> = [];
      for (const one of body.answers) {
        const answered = tooFar(caller, one) ?? (await workflow.answerPrompt(one, actor));
        if (answered.ok) answeredIds.push(one.promptId);
        else refused.push({ promptId: one.promptId, code: answered.error.code, message: answered.error.message });
      }
      return done({ done: answeredIds, refused });
    },
  }),
}));

/** A rule for later sessions is a setting of the machine, and that is for admins. */
function tooFar({ role }: Caller, { answer: { remember } }: AnswerBody) {
  if (remember === undefined || remember.destination === 'session' || role === 'admin') return null;
  return failed({
    code: 'forbidden' as const,
    message: 'Only an admin writes a rule down for later sessions. Allow it once, or for this session.',
  });
}
