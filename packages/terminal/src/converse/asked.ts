import { randomInt } from 'node:crypto';
import type { ApprovalAnswer, ApprovalRequest } from '@attractor/policy';
import type { Answers, Question } from '@attractor/journal';
import type { PlanAnswer } from './plan-answer.ts';
import type { Asks } from './agent-port.ts';

/** Something that waits for a person. It is answered once, or withdrawn when nobody waits any more. */
export type Asked =
  | {
      readonly type: 'approval';
      readonly id: number;
      readonly request: ApprovalRequest;
      readonly answer: (answer: ApprovalAnswer) => void;
    }
  | {
      readonly type: 'questions';
      readonly id: number;
      readonly questions: ReadonlyArray<Question>;
      readonly answer: (answers: Answers) => void;
    }
  | {
      readonly type: 'plan';
      readonly id: number;
      readonly plan: string;
      readonly answer: (answer: PlanAnswer) => void;
    };

/** What waits for a person, in the order in which it came. */
export type AskedList = {
  readonly asks: Asks;
  readonly list: () => ReadonlyArray<Asked>;
  readonly withdrawAll: () => void;
};

/** `changed` is told when something is asked, answered or withdrawn. */
export function createAskedList(changed: () => void): AskedList {
  let asked: ReadonlyArray<Asked> = [];
  // No process has the numbers of another: an answer that comes late from another window is for nothing else.
  let count = randomInt(2 ** 47);
  const put = <Answer>(
    make: (id: number, answer: (answer: Answer) => void) => Asked,
    signal?: AbortSignal,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const id = (count += 1);
      const remove = (): void => {
        asked = asked.filter((one) => one.id !== id);
        changed();
      };
      const answer = (value: Answer): void => {
        if (!asked.some((one) => one.id === id)) return;
        remove();
        resolve(value);
      };
      signal?.addEventListener(
        'abort',
        () => {
          remove();
          reject(new Error('Nobody is waiting for this answer any more.'));
        },
        { once: true },
      );
      asked = [...asked, make(id, answer)];
      changed();
    });
  return {
    asks: {
      approve: (request, { signal }) =>
        put<ApprovalAnswer>((id, answer) => ({ type: 'approval', id, request, answer }), signal),
      askUser: ({ questions, signal }) =>
        put<Answers>((id, answer) => ({ type: 'questions', id, questions, answer }), signal),
      approvePlan: (plan, context) =>
        put<PlanAnswer>((id, answer) => ({ type: 'plan', id, plan, answer }), context?.signal),
    },
    list: () => asked,
    withdrawAll: () => {
      asked = [];
      changed();
    },
  };
}
