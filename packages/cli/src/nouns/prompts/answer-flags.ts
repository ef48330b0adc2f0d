import { readFileSync } from 'node:fs';
import { defined, messageOf } from '@attractor/base';
import type { PromptAnswer } from '@attractor/platform';
import { CommandFailure, EXIT } from '@attractor/console';
import type { Flag } from '../../verbs/flag.ts';
import { readJsonFile } from '@attractor/console/lines';
import type { Call } from '../../verbs/verb.ts';

/** What a person can say to a question in a command line. */
export const ANSWER_FLAGS: ReadonlyArray<Flag> = [
  { flag: '--approve', about: 'allow what is asked for' },
  { flag: '--reject', about: 'refuse it' },
  { flag: '--changes', about: 'ask for changes; say which with --message' },
  {
    flag: '--message <text>',
    about: 'a message for the agent; alone: the answer to a question, or the decision about a plan in words',
  },
  { flag: '--only <name>', about: 'with --approve of a split: only this subtask', many: true },
  { flag: '--answer <id=text>', about: 'the answer to one of several questions', many: true },
];

/** Null if nothing was said. */
export function answerByFlags({ flags }: Call): PromptAnswer | null {
  const [message, file, edited] = [flags.text('message'), flags.text('planFile'), flags.text('subtasks')];
  const answers = flags.list('answer')?.map(readAnswer);
  const decisions = (['approve', 'reject', 'changes'] as const).filter((name) => flags.has(name));
  if (decisions.length > 1)
    throw new CommandFailure(`--${decisions.join(' and --')} contradict each other`, EXIT.usage);
  const decision = decisions[0] ?? (message === undefined && answers === undefined ? null : 'answer');
  if (decision === null) return null;
  return {
    decision,
    ...defined({ message, answers, only: flags.list('only') }),
    ...(edited === undefined ? {} : readSubtasks(edited)),
    ...(file === undefined ? {} : { plan: readPlan(file) }),
  };
}

function readAnswer(given: string): { readonly questionId: string; readonly answer: string } {
  const at = given.indexOf('=');
  if (at < 1) throw new CommandFailure(`--answer: expected ID=TEXT, not '${given}'`, EXIT.usage);
  return { questionId: given.slice(0, at), answer: given.slice(at + 1) };
}

/** The list of a file as for `tasks split`. */
function readSubtasks(file: string): Pick<PromptAnswer, 'subtasks'> {
  return readJsonFile('--subtasks', file);
}

function readPlan(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`--plan-file: can't read ${file} (${messageOf(error)})`, EXIT.notFound);
  }
}
