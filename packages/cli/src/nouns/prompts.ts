import { defined, isRecord } from '@attractor/base';
import type { Prompt, PromptAnswer } from '@attractor/platform';
import { type AnswerBody, type InboxItem, splitText, taskKeyOf } from '@attractor/api';
import { CommandFailure, EXIT, type ExitCode, readableText } from '@attractor/console';
import { answerText, facts, moment, table, moreRows, print, stepLines, valueOf } from '@attractor/console/lines';
import { sayIfNobodyWorks } from '../verbs/nobody-works.ts';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';
import { ANSWER_FLAGS, answerByFlags } from './prompts/answer-flags.ts';

const ID = { name: '<id>', about: "the question's key or id" };
const STATUSES = ['pending', 'answered', 'cancelled'];

const PROMPT_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list what waits for a person, the longest wait first',
    flags: [
      { flag: '--task <id>', about: 'only of this task' },
      { flag: '--status <status>', about: 'in this status (default: pending)', choices: STATUSES },
      { flag: '--all', about: 'in any status' },
      { flag: '--limit <n>', about: 'at most so many (default 100)', number: true },
      { flag: '--after <id>', about: 'the last question of the page before' },
    ],
    examples: ['prompts list', 'prompts list --task ATT-12 --all --json'],
    call: async (call) => call.client.prompts.list(await promptQuery(call)),
    more: (prompts, left) => ({
      left,
      how: `${moreRows(prompts.length, left)}, or --after ${prompts.at(-1)?.key ?? ''} for the next page`,
    }),
    show: (prompts, { style }) =>
      table(prompts, {
        style,
        none: 'Nothing waits for you.',
        columns: [
          { head: 'KEY', cell: ({ key }) => key, paint: style.accent },
          { head: 'KIND', cell: ({ type }) => type.replaceAll('_', ' ') },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'ASKED', cell: ({ createdAt }) => moment(createdAt) },
          { head: 'TASK', cell: taskKeyOf },
          { head: 'QUESTION', cell: ({ title }) => title },
        ],
      }),
  }),
  {
    name: 'get',
    summary: 'show a question in full, with the command for each answer',
    arguments: [ID],
    examples: ['prompts get ATT-12.q1', 'prompts get ATT-12.q1 --json'],
    run: get,
  },
  verb({
    name: 'answer',
    alias: 'respond',
    summary: 'answer a question; the first answer counts',
    arguments: [ID],
    flags: [
      ...ANSWER_FLAGS,
      { flag: '--subtasks <file>', about: 'with --approve of a split: these subtasks instead, as JSON' },
      { flag: '--plan-file <file>', about: 'with --approve: the plan as you corrected it, as markdown or JSON' },
      {
        flag: '--always <where>',
        about: 'with --approve, keep the rule that is proposed',
        choices: ['session', 'localSettings', 'projectSettings', 'userSettings'],
      },
      { flag: '--hash <hash>', about: 'the contentHash that was looked at: anything else is refused' },
    ],
    notes:
      'JSON on stdin instead: {"answer": {"decision": "approve"|"reject"|"changes"|"answer", "message"?, "plan"?, "answers"?,\n"input"?, "remember"?, "subtasks"?, "only"?}, "contentHash"?}',
    examples: [
      'prompts answer ATT-12.q1 --approve',
      'prompts answer ATT-12.q1 --message "approve, but skip the tests for now"',
      'prompts answer ATT-12.q1 --approve --plan-file plan.md',
      'prompts answer ATT-12.q1 --changes --message "Keep the old name as an alias"',
      'prompts answer ATT-12.q1 --answer q1=yes --answer "q2=only on Linux"',
      'prompts answer ATT-12.q1 --approve --always localSettings',
      'prompts answer ATT-12.q1 --approve --only parser --only printer',
    ],
    call: async (call) => {
      const answered = await call.client.prompts.answer(call.arg(0), await answerBody(call));
      if (answered.ok) await sayIfNobodyWorks(call, answered.value.taskId);
      return answered;
    },
    show: (prompt) => [answeredLine(prompt)],
  }),
];

/** For every project, unless one is named. */
async function promptQuery({ flags, project }: Call) {
  const [taskId, after] = [flags.text('task'), flags.text('after')];
  const given = STATUSES.find((known): known is Prompt['status'] => known === flags.text('status'));
  const status = flags.has('all') ? given : (given ?? 'pending');
  const projectId = flags.text('project') === undefined ? undefined : await project();
  return { ...defined({ taskId, after, status, projectId }), limit: flags.number('limit') ?? 100 };
}

/** Tied to what the question shows now, unless the person says what they looked at. */
async function answerBody(call: Call): Promise<AnswerBody> {
  const { flags } = call;
  const said = answerByFlags(call);
  const input = said === null ? await call.input() : null;
  if (input !== null) return input as AnswerBody;
  if (said === null)
    throw new CommandFailure('say --approve, --reject, --changes, --message or --answer (see --help)', EXIT.usage);
  const prompt = valueOf(await call.client.prompts.get(call.arg(0)));
  const always = flags.text('always');
  const answer = always === undefined ? said : { ...said, remember: rulesFor(prompt, always) };
  return { contentHash: flags.text('hash') ?? prompt.contentHash, answer };
}

type Remember = NonNullable<PromptAnswer['remember']>;

function rulesFor({ key, type, payload }: Prompt, destination: string): Remember {
  const proposed = type === 'tool_approval' ? (payload.suggestions ?? []) : [];
  const found = proposed.find((rule) => rule.destination === destination);
  if (found !== undefined) return { rules: found.rules, destination: found.destination };
  throw new CommandFailure(
    `--always ${destination}: no such rule is proposed; see attractor prompts get ${key}`,
    EXIT.refused,
  );
}

async function get({ client, arg, output, style }: Call): Promise<ExitCode> {
  const prompt = valueOf(await client.prompts.get(arg(0)));
  const isOpen = output.mode === 'people' && prompt.status === 'pending';
  const waiting = isOpen ? valueOf(await client.inbox.list({ taskId: prompt.taskId })).items : [];
  const item = waiting.find((one) => one.prompt?.id === prompt.id);
  await print(output, { value: prompt, lines: () => promptLines(prompt, item, style) });
  return EXIT.done;
}

/** What waits is shown as in the inbox; of what is over, all that was stored. */
function promptLines(prompt: Prompt, item: InboxItem | undefined, style: Call['style']): ReadonlyArray<string> {
  const { answer } = prompt;
  const asked = item === undefined ? [] : ['', ...readableText(item.text).trimEnd().split('\n')];
  const next = item === undefined ? [] : ['', style.bold('Next'), ...stepLines(item.state.steps, style)];
  const head = facts(
    [
      ['key', prompt.key],
      ['kind', prompt.type.replaceAll('_', ' ')],
      ['status', prompt.status],
      ['task', taskKeyOf(prompt)],
      ['asked', moment(prompt.createdAt)],
      ['question', prompt.title],
      ['hash', prompt.contentHash],
      ...(item === undefined ? shownFields(prompt) : []),
      ['answer', answer === null ? '' : answerText(answer)],
    ],
    style,
  );
  return [...head, ...asked, ...next];
}

function answeredLine(prompt: Prompt): string {
  const said = prompt.answer === null ? '' : `: ${answerText(prompt.answer)}`;
  const task = taskKeyOf(prompt);
  return `${prompt.key} is answered${said}. What happens next: attractor tasks get ${task}`;
}

/** Subtasks as people read them, everything else field by field. */
function shownFields(prompt: Prompt): ReadonlyArray<readonly [string, string]> {
  const fields = Object.entries(prompt.payload).map(([name, value]) => [name, payloadText(name, value)] as const);
  if (prompt.type !== 'split_proposal') return fields;
  const others = fields.filter(([name]) => name !== 'subtasks' && name !== 'reason');
  return [...others, ['split', `\n${splitText(prompt.payload)}`]];
}

/** Where each answer leads, in one line; other fields unchanged. */
function payloadText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || (Array.isArray(value) && value.length === 0)) return '';
  if (name === 'questions' && Array.isArray(value)) return value.map(questionText).join('\n');
  if (name !== 'answers' || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value, null, 2);
  return Object.entries(value)
    .map(([answer, status]) => `${answer} → ${String(status)}`)
    .join(', ');
}

function questionText(asked: unknown): string {
  if (!isRecord(asked)) return String(asked);
  const { id, question, options } = asked;
  const choices = Array.isArray(options) && options.length > 0 ? ` (${options.map(String).join(' | ')})` : '';
  return `[${String(id)}] ${String(question)}${choices}`;
}

export const define = noun({
  description: 'Questions to a person: plans to approve, commands to allow, reviews, and what agents want to know.',
  verbs: PROMPT_VERBS,
});
