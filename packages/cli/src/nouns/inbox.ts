import { defined } from '@attractor/base';
import type { BulkAnswersBody } from '@attractor/api';
import { CommandFailure, EXIT, readableText } from '@attractor/console';
import { noun } from '../verbs/noun.ts';
import { inboxLines, valueOf } from '@attractor/console/lines';
import { type Call, type Verb, verb } from '../verbs/verb.ts';
import { ANSWER_FLAGS, answerByFlags } from './prompts/answer-flags.ts';

const LIST_INBOX = verb({
  name: 'list',
  summary: 'show everything that waits for you, with the command for each answer',
  flags: [
    { flag: '--task <id>', about: 'only of this task' },
    { flag: '--limit <n>', about: 'at most so many tasks (default 50)', number: true },
  ],
  examples: ['inbox', 'inbox --task ATT-12', 'inbox --json'],
  call: async (call) => call.client.inbox.list(await scopeOf(call)),
  ids: ({ items }) => items.map(({ prompt, task }) => prompt?.id ?? task.id),
  show: ({ items, left }, { style }) => [
    ...(items.length === 0 ? [style.dim('Nothing waits for you.')] : []),
    ...items.flatMap((item, at) => [...(at === 0 ? [] : ['']), ...inboxLines(item, style)]),
    ...(left === 0 ? [] : ['', `${left} more wait: attractor inbox --limit ${items.length + left}`]),
  ],
});

/** Of every project, unless one is named. */
async function scopeOf({ flags, projectIfAny }: Call) {
  const projectId = flags.text('project') === undefined ? null : await projectIfAny();
  const [taskId, limit] = [flags.text('task'), flags.number('limit')];
  return { ...(projectId === null ? {} : { projectId }), ...defined({ taskId, limit }) };
}

const ANSWER_MANY: Verb = verb({
  name: 'answer',
  summary: 'give several questions the same answer; each is decided separately',
  arguments: [{ name: '[ids...]', about: 'the keys or ids of the questions' }],
  flags: ANSWER_FLAGS,
  notes:
    'JSON on stdin instead: {"answers": [{"promptId", "contentHash"?, "answer": {"decision", …}}]}. An answer counts for what the question\nshows now, or for contentHash. Exit code 4 if any of them was refused; the others count. An unknown\nkey is reported before any of them is answered.',
  examples: ['inbox answer ATT-12.q1 ATT-13.q1 --approve', 'inbox answer < answers.json'],
  call: async (call) => call.client.prompts.answerMany(await answersOf(call)),
  ids: ({ done }) => done,
  show: ({ done, refused }, { style }) => [
    ...done.map((id) => style.named(`${id} answered.`)),
    ...refused.map(({ promptId, message }) => readableText(style.named(`${promptId} refused: ${message}`))),
  ],
  exit: ({ refused }) => (refused.length === 0 ? EXIT.done : EXIT.refused),
});

async function answersOf(call: Call): Promise<BulkAnswersBody> {
  const answer = answerByFlags(call);
  const input = answer === null ? await call.input() : null;
  if (input !== null) return input as BulkAnswersBody;
  const ids = call.rest(0);
  if (answer === null || ids.length === 0)
    throw new CommandFailure(
      'name the questions, and say --approve, --reject, --changes, --message or --answer',
      EXIT.usage,
    );
  const prompts = await Promise.all(ids.map(async (id) => valueOf(await call.client.prompts.get(id))));
  return { answers: prompts.map(({ id, contentHash }) => ({ promptId: id, contentHash, answer })) };
}

export const define = noun({
  description: 'What waits for you: questions, reviews, failures, and work that was accepted but not merged.',
  verbs: [LIST_INBOX, ANSWER_MANY],
  bare: LIST_INBOX,
});
