import { z } from 'zod';
import { once } from './once.ts';
import type { Prompt } from '@attractor/platform';
import { type RawPrompt, readPrompt } from '@attractor/store/types';
import type { Answer } from './failure.ts';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const promptRoutes = {
  all: '/api/prompts',
  one: '/api/prompts/:id',
  answer: '/api/prompts/:id/answer',
} as const;

/** `contentHash` repeats the prompt's own, so that an approval counts only for what was shown. */
export const answerBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    contentHash: z.string().min(1).max(200).exactOptional(),
    answer: z.strictObject({
      decision: z.enum(['approve', 'reject', 'changes', 'answer']),
      message: z.string().max(100_000).exactOptional(),
      plan: z.string().max(200_000).exactOptional(),
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

export const promptQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    taskId: z.string().exactOptional(),
    status: z.enum(['pending', 'answered', 'cancelled']).exactOptional(),
  }),
);

export type AnswerBody = z.infer<ReturnType<typeof answerBody>>;
export type PromptQuery = z.infer<ReturnType<typeof promptQuery>>;

export type { Prompt, PromptAnswer, PromptOf, PromptType } from '@attractor/platform';

export function promptCalls(http: HttpOptions) {
  return {
    list: async (query: PromptQuery = {}): Promise<Answer<ReadonlyArray<Prompt>>> => {
      const prompts = await get<ReadonlyArray<RawPrompt>>(http, fillPath(promptRoutes.all, {}, query));
      return prompts.ok ? { ok: true, value: prompts.value.map(readPrompt) } : prompts;
    },
    get: async (id: string) => read(await get<RawPrompt>(http, fillPath(promptRoutes.one, { id }))),
    answer: async (id: string, body: AnswerBody) =>
      read(await post<RawPrompt>(http, fillPath(promptRoutes.answer, { id }), body)),
  };
}

function read(answer: Answer<RawPrompt>): Answer<Prompt> {
  return answer.ok ? { ok: true, value: readPrompt(answer.value) } : answer;
}
