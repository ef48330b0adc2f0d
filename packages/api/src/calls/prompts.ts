import type { Prompt } from '@attractor/platform';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { promptRoutes, type AnswerBody, type PromptQuery } from '../prompts.ts';

export function promptCalls(http: HttpOptions) {
  return {
    list: (query: PromptQuery = {}) => get<ReadonlyArray<Prompt>>(http, fillPath(promptRoutes.all, {}, query)),
    get: (id: string) => get<Prompt>(http, fillPath(promptRoutes.one, { id })),
    answer: (id: string, body: AnswerBody) => post<Prompt>(http, fillPath(promptRoutes.answer, { id }), body),
  };
}
