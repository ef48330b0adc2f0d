import { messageOf } from '@attractor/base';
import type { Answers, Question, RegisteredTool, SessionEvent } from '../types/index.ts';
import type { AskUser, QuestionPreviews, QuestionRequest } from '../contract/session.ts';
import type { SessionView } from '../conversation/view.ts';

export const ASK_USER_QUESTION = 'AskUserQuestion';

/** The questions of one session. An answer is recorded before anything acts on it; the first one counts. */
export type Questions = {
  /** Somebody can be asked. If not, a tool that a profile calls the same is like any other. */
  readonly isAsking: boolean;
  /** Resolves once the view holds the answers. */
  readonly answered: (request: QuestionRequest) => Promise<'answered' | 'ended' | { readonly failure: string }>;
  readonly answer: (toolCallId: string, answers: Answers) => boolean;
};

export type QuestionsOptions = {
  readonly askUser: AskUser | 'wait' | undefined;
  readonly view: () => SessionView;
  readonly record: (event: SessionEvent) => void;
};

export function createQuestions({ askUser, view, record }: QuestionsOptions): Questions {
  const waiters = new Map<string, () => void>();
  const answer = (toolCallId: string, answers: Answers): boolean => {
    if (!view().questions.some((question) => question.toolCallId === toolCallId)) return false;
    record({ kind: 'QUESTION_ANSWERED', toolCallId, answers });
    waiters.get(toolCallId)?.();
    return true;
  };
  return {
    isAsking: askUser !== undefined,
    answer,
    answered: async (request) => {
      const { toolCallId, signal } = request;
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Questions['answered']>>>();
      const onEnd = (): void => resolve('ended');
      waiters.set(toolCallId, () => resolve('answered'));
      signal.addEventListener('abort', onEnd, { once: true });
      if (signal.aborted) onEnd();
      if (typeof askUser === 'function') {
        askUser(request)
          .then((answers) => answer(toolCallId, answers))
          .catch((error: unknown) => resolve({ failure: messageOf(error) }));
      }
      if (answersTo(view(), toolCallId) !== null) resolve('answered');
      const outcome = await promise;
      waiters.delete(toolCallId);
      signal.removeEventListener('abort', onEnd);
      return outcome;
    },
  };
}

export function answersTo(view: SessionView, toolCallId: string): Answers | null {
  return Object.hasOwn(view.answers, toolCallId) ? (view.answers[toolCallId] ?? null) : null;
}

/** Runs only once the answers are there; the arguments were validated against the schema before. */
export function createAskUserTool(view: () => SessionView, previews?: QuestionPreviews): RegisteredTool {
  return {
    definition: {
      name: ASK_USER_QUESTION,
      description:
        'Asks the person one to four questions and waits for the answers. Only for what you can neither find out nor safely assume. The person may also answer in their own words.',
      parameters: parametersOf(previews),
    },
    executor: async (args, _env, context) => {
      const answers = answersTo(view(), context?.toolCallId ?? '');
      if (answers === null) return { output: 'There is no answer: go on with what you know.', isError: true };
      return questionsOf(args)
        .map(({ question }) => `${question}\n→ ${spoken(answers, question)}`)
        .join('\n');
    },
    readOnly: true,
  };
}

export function questionsOf(args: Readonly<Record<string, unknown>>): ReadonlyArray<Question> {
  return Array.isArray(args['questions']) ? args['questions'].filter(isQuestion) : [];
}

function isQuestion(value: unknown): value is Question {
  return typeof value === 'object' && value !== null && 'question' in value && typeof value.question === 'string';
}

function spoken(answers: Answers, question: string): string {
  const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
  if (answer === undefined || answer.length === 0) return '(no answer)';
  return typeof answer === 'string' ? answer : answer.join(', ');
}

const TEXT = { type: 'string' };

const PREVIEWS: Readonly<Record<QuestionPreviews, string>> = {
  markdown: 'What the option would give, as Markdown or a drawing in plain characters.',
  html: 'What the option would give, as a fragment of HTML that needs nothing else: no scripts, no addresses.',
};

function parametersOf(previews: QuestionPreviews | undefined) {
  const preview = previews === undefined ? TEXT : { ...TEXT, description: PREVIEWS[previews] };
  const option = { type: 'object', properties: { label: TEXT, description: TEXT, preview }, required: ['label'] };
  const question = {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The whole question.' },
      header: { type: 'string', description: 'One or two words for it.' },
      options: { type: 'array', items: option, minItems: 2, maxItems: 4 },
      multiSelect: { type: 'boolean', description: 'Several options may be chosen.' },
    },
    required: ['question', 'header', 'options'],
  };
  return {
    type: 'object',
    properties: { questions: { type: 'array', items: question, minItems: 1, maxItems: 4 } },
    required: ['questions'],
    additionalProperties: false,
  };
}
