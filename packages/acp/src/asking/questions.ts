import type { ElicitationPropertySchema } from '@agentclientprotocol/sdk/unstable';
import type { AskUser } from '@attractor/agent';
import { isRecord } from '@attractor/base';
import type { Answers, Question } from '@attractor/journal';
import type { Editor } from '../editor/editor.ts';

type Asked = Parameters<AskUser>[0];

/** The model's questions to the person: in one form where the editor has forms, else one choice after the other. */
export function askInEditor(editor: Editor): AskUser {
  return (asked) => (editor.can.asksInForms ? askInForm(editor, asked) : askByChoice(editor, asked));
}

const NO_ANSWER = 'No answer.';

async function askInForm(editor: Editor, { questions, toolCallId, signal }: Asked): Promise<Answers> {
  const properties = Object.fromEntries(questions.flatMap((question, index) => fieldsOf(question, index)));
  const message = questions.map(({ question }) => question).join('\n');
  const form = { mode: 'form', toolCallId, message, requestedSchema: { type: 'object', properties } };
  const answer = await editor.call('elicitation/create', form, signal);
  const content = answer.ok && isRecord(answer.result['content']) ? answer.result['content'] : {};
  return Object.fromEntries(
    questions.map(({ question }, index) => [
      question,
      valueOf(content[own(index)]) ?? valueOf(content[name(index)]) ?? NO_ANSWER,
    ]),
  );
}

const name = (index: number): string => `q${index + 1}`;
const own = (index: number): string => `q${index + 1}_own`;

type Field = readonly [string, ElicitationPropertySchema];

function fieldsOf({ question, options, multiSelect }: Question, index: number): ReadonlyArray<Field> {
  const ownWords: Field = [
    own(index),
    { type: 'string', title: options.length === 0 ? question : 'In your own words' },
  ];
  if (options.length === 0) return [ownWords];
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description === undefined ? {} : { description }),
  }));
  const choice: ElicitationPropertySchema =
    multiSelect === true
      ? { type: 'array', title: question, items: { anyOf: choices } }
      : { type: 'string', title: question, oneOf: choices };
  return [[name(index), choice], ownWords];
}

function valueOf(value: unknown): string | ReadonlyArray<string> | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return texts.length === 0 ? null : texts;
}

async function askByChoice(editor: Editor, { questions, toolCallId, signal }: Asked): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const { question, options } of questions) {
    const toolCall = { toolCallId, title: question, kind: 'other' as const, status: 'pending' as const };
    const choices = options.map(({ label, description }, index) => ({
      optionId: String(index),
      name: description === undefined ? label : `${label}: ${description}`,
      kind: 'allow_once' as const,
    }));
    const skip = { optionId: 'skip', name: 'Skip', kind: 'reject_once' as const };
    const chosen = await editor.choose({ toolCall, options: [...choices, skip] }, signal);
    answers[question] = options[Number(chosen ?? NaN)]?.label ?? NO_ANSWER;
  }
  return answers;
}
