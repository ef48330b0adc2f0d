import { once } from '@attractor/base';
import { z } from 'zod';
import { id, list, record, time } from './shape.ts';

/** Payloads may have further fields: what an agent gave along is kept. */
const leads = () => ({
  answers: record().exactOptional(),
  ways: record().exactOptional(),
  again: z.string().exactOptional(),
});

export const question = () =>
  z.looseObject({
    id: z.string(),
    question: z.string(),
    context: z.string().exactOptional(),
    inputType: z.string().exactOptional(),
    options: list(z.string()).exactOptional(),
    suggested: z.string().meta({ description: 'The answer that whoever asks would take.' }).exactOptional(),
  });

export const proposal = () =>
  z.looseObject({
    id: z.string(),
    label: z.string(),
    description: z.string(),
    tradeoffs: z.string().exactOptional(),
    recommended: z.boolean().exactOptional(),
  });

export const plan = /* @__PURE__ */ once(() =>
  z
    .looseObject({
      summary: z.string().exactOptional(),
      files_to_create: list(z.looseObject({ path: z.string(), purpose: z.string() })),
      files_to_modify: list(z.looseObject({ path: z.string(), changes: z.string() })),
      dependencies: list(z.string()),
      commands: list(z.string()),
      tests: list(z.looseObject({ path: z.string(), coverage: z.string() })),
      order: list(z.string()),
      risks: list(z.string()),
    })
    .meta({ id: 'Plan', description: 'What an agent proposes to do.' }),
);

const subtask = () =>
  z.looseObject({
    name: z.string(),
    title: z.string(),
    description: z.string().exactOptional(),
    acceptanceCriteria: list(z.string()).exactOptional(),
    dependsOn: list(z.string()).exactOptional(),
    pipelineId: z.string().exactOptional(),
    agentType: z.string().exactOptional(),
  });

const criterion = () =>
  z.looseObject({
    number: z.number(),
    text: z.string(),
    state: z.enum(['accepted', 'shown', 'claimed', 'refuted', 'open']),
    detail: z.string().nullable(),
  });

const deviation = () =>
  z.looseObject({
    kind: z.enum(['file_not_planned', 'file_not_touched', 'command_not_planned']),
    what: z.string(),
    detail: z.string().exactOptional(),
  });

const destination = () => z.enum(['session', 'localSettings', 'projectSettings', 'userSettings']);

const approval = () =>
  z.looseObject({
    toolCallId: z.string(),
    toolName: z.string(),
    input: record(),
    command: z.string().nullable().exactOptional(),
    contentHash: z.string().exactOptional(),
    shown: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    part: z.string().exactOptional(),
    suggestions: list(
      z.looseObject({ rules: list(z.string()), destination: destination(), file: z.string().nullable() }),
    ).exactOptional(),
  });

const budget = () =>
  z.looseObject({
    budgetId: z.string(),
    spent: z.string().exactOptional(),
    raiseUsd: z.number().nullable().exactOptional(),
    raiseTokens: z.number().nullable().exactOptional(),
    raisedTo: z.string().exactOptional(),
  });

const answer = () =>
  z.strictObject({
    decision: z.enum(['approve', 'reject', 'changes', 'answer']),
    message: z.string().exactOptional(),
    input: record().exactOptional(),
    remember: z.strictObject({ rules: list(z.string()), destination: destination() }).exactOptional(),
    plan: z.string().exactOptional(),
    subtasks: list(subtask()).exactOptional(),
    only: list(z.string()).exactOptional(),
    answers: list(z.strictObject({ questionId: z.string(), answer: z.string() })).exactOptional(),
  });

const of = <const Type extends string, Payload extends z.ZodType>(type: Type, payload: Payload) =>
  z.strictObject({
    id: id('prm'),
    key: z.string(),
    taskId: id('tsk'),
    runId: id('run').nullable(),
    type: z.literal(type),
    title: z.string(),
    payload,
    contentHash: z.string().meta({ description: 'An answer with this hash counts for exactly what was shown.' }),
    status: z.enum(['pending', 'answered', 'cancelled']),
    answer: answer().nullable(),
    createdAt: time(),
    answeredAt: time().nullable(),
  });

export const promptAnswer = /* @__PURE__ */ once(() =>
  z
    .discriminatedUnion('type', [
      of(
        'question',
        z.looseObject({
          ...leads(),
          questions: list(question()).exactOptional(),
          question: z.string().exactOptional(),
        }),
      ),
      of(
        'options',
        z.looseObject({ ...leads(), summary: z.string().exactOptional(), options: list(proposal()).exactOptional() }),
      ),
      of(
        'plan_approval',
        z.looseObject({
          ...leads(),
          plan: z.string().nullable().meta({ description: 'The text that is approved.' }).exactOptional(),
          data: plan().nullable().meta({ description: 'The same as data, if the text has that form.' }).exactOptional(),
        }),
      ),
      of(
        'review',
        z.looseObject({
          ...leads(),
          branch: z.string().nullable().exactOptional(),
          part: z.boolean().meta({ description: 'Of a part of the work: nothing can be merged yet.' }).exactOptional(),
          proposedPhases: z.unknown().exactOptional(),
          criteria: list(criterion()).exactOptional(),
          todo: list(criterion())
            .meta({ description: 'What the plan says is to be done, and how it stands.' })
            .exactOptional(),
          deviations: list(deviation())
            .meta({ description: 'Where the work is not what the plan says.' })
            .exactOptional(),
        }),
      ),
      of(
        'split_proposal',
        z.looseObject({ ...leads(), reason: z.string().exactOptional(), subtasks: list(subtask()) }),
      ),
      of('tool_approval', approval()),
      of('budget', budget()),
      of('unknown', z.looseObject({ type: z.string(), payload: record() })),
    ])
    .meta({ id: 'Prompt', description: 'A question to a person, answered once.' }),
);

export const answeredAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      done: list(z.string()),
      refused: list(z.strictObject({ promptId: z.string(), code: z.string(), message: z.string() })),
    })
    .meta({ id: 'AnsweredPrompts' }),
);
