import { type Schema, Validator } from '@cfworker/json-schema';
import { readQuestions } from './read-questions.ts';
import { reportedPlan } from './reported-plan.ts';
import { MOST_SUBTASKS, readSplit } from './read-split.ts';
import type { OutcomeChoice } from '@attractor/adapters';
import { type AgentRunMode, type CustomOutcome, ofPlan, planProblemText } from '@attractor/store';

/** `schema` null: the outcome needs no payload; if there is one it is kept unchanged. */
export type OutcomeSchema = { readonly description: string; readonly schema: object | null };

const TEXT = { type: 'string', minLength: 1 };

/** Every outcome that an agent may report. Pipelines name outcomes; this registry defines their payloads. */
export const OUTCOME_SCHEMAS: Readonly<Record<string, OutcomeSchema>> = {
  plan_complete: {
    description: `The plan is finished. Put it into payload.plan as an object:
    {"summary": "the goal, and what is not part of it",
     "files_to_create": [{"path": "src/new.ts", "purpose": "…"}], "files_to_modify": [{"path": "src/old.ts", "changes": "…"}],
     "dependencies": ["name@version"], "commands": ["npm test"], "tests": [{"path": "src/new.test.ts", "coverage": "…"}],
     "order": ["first …"], "risks": ["…, met by …"]}
    Leave out what is empty. Paths are from the top of the repository. If you can't write JSON, put its Markdown text into payload.plan.`,
    schema: null,
  },
  clarified: {
    description:
      'Nothing is open: payload.clarified_query says in full what is wanted, with every answer that was given. Somebody else plans.',
    schema: { type: 'object', required: ['clarified_query'], properties: { clarified_query: TEXT } },
  },
  pr_ready: {
    description:
      'The work is finished and ready for review. Only with a change on the branch; without one report no_change.',
    schema: null,
  },
  no_change: {
    description:
      'Nothing has to be changed for this task. Say why in payload.reason; a person decides what becomes of it.',
    schema: { type: 'object', required: ['reason'], properties: { reason: TEXT } },
  },
  approved: { description: 'The reviewed change is good as it is.', schema: null },
  design_ready: {
    description: 'The design document is finished. Put its full Markdown text into payload.document.',
    schema: null,
  },
  reproduced: { description: 'The bug was reproduced and its cause found.', schema: null },
  cannot_reproduce: { description: 'The bug could not be reproduced.', schema: null },
  needs_info: {
    description: 'The work cannot go on without answers from a person.',
    schema: {
      type: 'object',
      required: ['questions'],
      properties: {
        questions: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['id', 'question'],
            properties: {
              id: TEXT,
              question: TEXT,
              context: { type: 'string' },
              inputType: { enum: ['text', 'choice', 'boolean'] },
              options: { type: 'array', items: { type: 'string' } },
              suggested: { type: 'string', description: 'the answer that you would take' },
            },
          },
        },
      },
    },
  },
  options_proposed: {
    description: 'There are several ways, and a person should choose.',
    schema: {
      type: 'object',
      required: ['summary', 'options'],
      properties: {
        summary: TEXT,
        options: {
          type: 'array',
          minItems: 2,
          items: {
            type: 'object',
            required: ['id', 'label', 'description'],
            properties: {
              id: TEXT,
              label: TEXT,
              description: TEXT,
              tradeoffs: { type: 'string' },
              recommended: { type: 'boolean' },
            },
          },
        },
      },
    },
  },
  propose_split: {
    description:
      'The task is too large for one change and falls into parts that can be done and merged one by one. Only before you changed anything. A person decides; the parts become tasks of their own, and you go on when all of them are merged.',
    schema: {
      type: 'object',
      required: ['reason', 'subtasks'],
      properties: {
        reason: TEXT,
        subtasks: {
          type: 'array',
          minItems: 1,
          maxItems: MOST_SUBTASKS,
          items: {
            type: 'object',
            required: ['name', 'title', 'description'],
            properties: {
              name: { ...TEXT, description: 'short, for dependsOn of the others' },
              title: TEXT,
              description: { ...TEXT, description: 'all that an agent needs who knows nothing else of this task' },
              acceptanceCriteria: { type: 'array', items: TEXT },
              dependsOn: { type: 'array', items: TEXT, description: 'names of subtasks that have to end first' },
              pipelineId: TEXT,
              agentType: TEXT,
            },
          },
        },
      },
    },
  },
  changes_requested: {
    description: 'The reviewed change needs rework.',
    schema: {
      type: 'object',
      required: ['summary', 'comments'],
      properties: {
        summary: TEXT,
        comments: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['comment', 'severity'],
            properties: {
              comment: TEXT,
              severity: { enum: ['critical', 'suggestion', 'nit'] },
              file: { type: 'string' },
              line: { type: 'integer' },
            },
          },
        },
      },
    },
  },
};

/** Offered if the task's status names no outcome, as when a single run is started by hand. */
export const MODE_OUTCOMES: Readonly<Record<AgentRunMode, ReadonlyArray<string>>> = {
  clarify: ['clarified', 'needs_info'],
  plan: ['plan_complete', 'needs_info'],
  implement: ['pr_ready', 'needs_info'],
  review: ['approved', 'changes_requested'],
  investigate: ['reproduced', 'cannot_reproduce', 'needs_info'],
  design: ['design_ready', 'options_proposed', 'needs_info'],
};

/** Outcomes that put something before a person: there is no finished work to check. */
export const ASKING_OUTCOMES: ReadonlySet<string> = new Set([
  'needs_info',
  'options_proposed',
  'no_change',
  'propose_split',
]);

type Custom = Readonly<Record<string, CustomOutcome>>;

/** What an agent is offered, with the payload of each; a pipeline's own outcomes are `custom`. */
export function outcomeChoices(names: ReadonlyArray<string>, custom: Custom = {}): ReadonlyArray<OutcomeChoice> {
  return names.map((outcome) => {
    const own = custom[outcome];
    if (own !== undefined) return { outcome, description: own.description, payloadSchema: own.schema ?? null };
    const known = OUTCOME_SCHEMAS[outcome];
    return { outcome, description: known?.description ?? '', payloadSchema: known?.schema ?? null };
  });
}

/** Null if the payload is valid for one of the choices, otherwise what is wrong with it, in words that an agent can act on. */
export function judgePayload(choices: ReadonlyArray<OutcomeChoice>, outcome: string, payload: unknown): string | null {
  const choice = choices.find((one) => one.outcome === outcome);
  if (choice === undefined)
    return `The outcome "${outcome}" is not possible here; possible are ${choices.map((one) => one.outcome).join(', ')}.`;
  if (choice.payloadSchema === null) return outcome === 'plan_complete' ? planProblem(payload) : null;
  if (payload === undefined || payload === null) return `The outcome "${outcome}" needs a payload.`;
  const schema: Schema = choice.payloadSchema;
  const verdict = new Validator(schema, '2020-12', false).validate(payload);
  if (verdict.valid) return isOfSplit(outcome, schema) ? splitProblem(payload) : null;
  const deepest = verdict.errors.at(-1);
  return `The payload of "${outcome}" is not valid at ${deepest?.instanceLocation ?? '#'}: ${deepest?.error ?? 'unknown'}`;
}

/** A pipeline of its own may have an outcome of this name with another payload. */
function isOfSplit(outcome: string, { properties = {} }: Schema): boolean {
  return outcome === 'propose_split' && Object.hasOwn(properties, 'subtasks');
}

/** A plan in words is as good as one that is data. */
function planProblem(payload: unknown): string | null {
  const data = reportedPlan(payload);
  const read = data === null ? null : ofPlan(data);
  return read?.kind === 'invalid' ? planProblemText(read.problems) : null;
}

function splitProblem(payload: unknown): string | null {
  const read = readSplit(payload);
  return 'problem' in read ? read.problem : null;
}

const SEVERITY_ALIASES: Readonly<Record<string, string>> = { must_fix: 'critical', should_fix: 'critical' };

/** A payload as agents write it, in our form: older names of severities are mapped to ours, and questions may be written in any way. */
export function readPayload(outcome: string, payload: unknown): unknown {
  if (outcome === 'needs_info') return readQuestions(payload) ?? payload;
  return withOurSeverities(payload);
}

function withOurSeverities(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(withOurSeverities);
  if (payload === null || typeof payload !== 'object') return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [
      key,
      key === 'severity' && typeof value === 'string' ? (SEVERITY_ALIASES[value] ?? value) : withOurSeverities(value),
    ]),
  );
}
