import { fenced } from './fence.ts';
import { answerBy, type ByEvent, type PendingPayload, type PlatformEvent } from '@attractor/store';

type Data = Readonly<Record<string, unknown>>;

/** One exchange between an agent and people. `asks`: the next agent has to act on it. `isMessage`: said in passing, to whoever works. */
export type Exchange = {
  readonly seq: number;
  readonly text: string;
  readonly asks: boolean;
  readonly isMessage: boolean;
};

/** The payload events that agents and people exchanged, by type. Others of the category (prompts opened and closed) repeat the same. */
const EXCHANGES: ByEvent<[who: string], string> = {
  'needs_info.sent': ({ data }, who) => `${who} asked:\n${questions(data.questions)}`,
  'info.provided': ({ data }, who) => `${who} answered:${answers(data.answers)}${message(data)}`,
  'options.proposed': ({ data }, who) => `${who} proposed:${summary(data)}\n${options(data.options)}`,
  'split.proposed': ({ data }, who) =>
    `${who} proposed to split the task:\n${fenced(data.subtasks.map(({ name, title }) => `- ${name}: ${title}`).join('\n'), 'subtasks')}`,
  'subtasks.settled': ({ data }) =>
    data.summary === undefined ? '' : `The subtasks are settled; what was merged is on the base:${summary(data)}`,
  'option.selected': ({ data }, who) => `${who} chose:${answers(data.answers)}${message(data)}`,
  'plan.approved': ({ data }, who) =>
    message(data) === '' ? '' : `${who} approved the plan, and said what to do about it:${message(data)}`,
  'message.sent': ({ data }, who) => `${who} said:\n${fenced(data.text, 'message')}`,
  'changes.requested': ({ data }, who) =>
    `${who} asked for changes:${summary(data)}${message(data)}${comments(data.comments)}`,
};

/** Oldest first: all rounds, so that the next agent knows what was said. */
export function readExchanges(events: ReadonlyArray<PlatformEvent>): ReadonlyArray<Exchange> {
  return events.flatMap((event) => {
    const byPerson = event.actor.type === 'user';
    const text = answerBy(EXCHANGES, event, byPerson ? 'A person' : 'An agent');
    if (text === undefined || text === '') return [];
    const isMessage = event.type === 'message.sent';
    return [{ seq: event.seq, text, asks: byPerson || event.type === 'changes.requested', isMessage }];
  });
}

const PENDING: Readonly<Record<string, (payload: Data) => string>> = {
  needs_info: (payload) => `An agent asked:\n${questions(payload['questions'])}`,
  options_proposed: (payload) => `An agent proposed:${summary(payload)}\n${options(payload['options'])}`,
  changes_requested: (payload) => `The review asks for changes:${summary(payload)}${comments(payload['comments'])}`,
};

/** What the next agent has to act on: what was asked, and the person's answer if there is one. */
export function describePending({ outcome, payload, response }: PendingPayload): string {
  const asked = PENDING[outcome]?.(fieldsOf(payload)) ?? `An agent reported ${outcome}:\n${data(payload)}`;
  if (response === null || response === undefined) return asked;
  const fields = fieldsOf(response);
  const said = `${answers(fields['answers'], questionTexts(payload))}${message(fields)}`;
  const decision = typeof fields['decision'] === 'string' ? ` (${fields['decision']})` : '';
  return `${asked}\n\nA person answered${decision}:${said === '' ? `\n${data(response)}` : said}`;
}

function questionTexts(payload: unknown): ReadonlyMap<string, string> {
  return new Map(list(fieldsOf(payload)['questions']).map((one) => [text(one['id']), text(one['question'])]));
}

function questions(value: unknown): string {
  const lines = list(value).map((one) => {
    const choices = Array.isArray(one['options']) ? ` [${one['options'].map(String).join(' | ')}]` : '';
    const context = text(one['context']) === '' ? '' : ` (${text(one['context'])})`;
    return `- ${text(one['id'])}: ${text(one['question'])}${choices}${context}`;
  });
  return fenced(lines.join('\n'), 'questions');
}

function options(value: unknown): string {
  const lines = list(value).map((one) => {
    const tradeoffs = text(one['tradeoffs']) === '' ? '' : ` Trade-offs: ${text(one['tradeoffs'])}`;
    return `- ${text(one['id'])}${one['recommended'] === true ? ' (recommended)' : ''}: ${text(one['label'])}. ${text(one['description'])}${tradeoffs}`;
  });
  return fenced(lines.join('\n'), 'options');
}

function comments(value: unknown): string {
  const lines = list(value).map((one) => {
    const line = typeof one['line'] === 'number' ? `:${one['line']}` : '';
    const place = text(one['file']) === '' ? '' : ` ${text(one['file'])}${line}`;
    return `- [${text(one['severity'])}]${place}: ${text(one['comment'])}`;
  });
  return lines.length === 0 ? '' : `\n${fenced(lines.join('\n'), 'comments')}`;
}

function answers(value: unknown, asked: ReadonlyMap<string, string> = new Map()): string {
  const lines = list(value).map((one) => {
    const id = text(one['questionId']);
    const question = asked.get(id);
    return `- ${id}${question === undefined ? '' : ` (${question})`}: ${text(one['answer'])}`;
  });
  return lines.length === 0 ? '' : `\n${fenced(lines.join('\n'), 'answers')}`;
}

function message(fields: Data): string {
  return text(fields['message']) === '' ? '' : `\n${fenced(text(fields['message']), 'message')}`;
}

function summary(fields: Data): string {
  return text(fields['summary']) === '' ? '' : `\n${fenced(text(fields['summary']), 'summary')}`;
}

function data(value: unknown): string {
  return fenced(JSON.stringify(value ?? null, null, 2), 'json');
}

function list(value: unknown): ReadonlyArray<Data> {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function fieldsOf(value: unknown): Data {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
