import { toolTitle } from '@attractor/tool-table';
import type { Asked } from './asked.ts';
import type { Conversing } from './conversing.ts';

/** Something for which a conversation waits for a person, as another window shows it. */
export type LiveAsk = {
  readonly id: number;
  readonly kind: 'approval' | 'question' | 'plan';
  readonly title: string;
  readonly text: string;
  readonly why: string;
  readonly options: ReadonlyArray<string>;
};

/** `words`: why not, or the answer to a question. */
export type LiveAnswer = { readonly ask: number; readonly isAllowed: boolean; readonly words: string };

export function askOf(asked: Asked): LiveAsk {
  const { id } = asked;
  if (asked.type === 'plan')
    return { id, kind: 'plan', title: 'Begin with this plan?', text: asked.plan, why: '', options: [] };
  if (asked.type === 'questions') {
    const { questions } = asked;
    const options = questions.length === 1 ? (questions[0]?.options ?? []).map(({ label }) => label) : [];
    const text = questions.map(({ question }) => question).join('\n');
    return { id, kind: 'question', title: 'The agent asks', text, why: '', options };
  }
  const { toolName, input, shown = JSON.stringify(input), reason = '' } = asked.request;
  return { id, kind: 'approval', title: `Allow ${toolTitle(toolName)}?`, text: shown, why: reason, options: [] };
}

/** An approved plan ends plan mode: each change is asked about then. */
export function giveAnswer(
  asked: Asked,
  { isAllowed, words }: LiveAnswer,
  { setMode }: Pick<Conversing, 'setMode'>,
): void {
  if (asked.type === 'plan') {
    if (!isAllowed) return asked.answer({ approved: false, ...(words === '' ? {} : { feedback: words }) });
    setMode('default');
    return asked.answer({ approved: true });
  }
  if (asked.type === 'questions')
    return asked.answer(
      Object.fromEntries(asked.questions.map(({ question }) => [question, words === '' ? 'No answer.' : words])),
    );
  const { contentHash } = asked.request;
  const bound = contentHash === undefined ? {} : { contentHash };
  const said = words === '' ? {} : { message: words };
  asked.answer(isAllowed ? { decision: 'approve', ...bound } : { decision: 'reject', ...said, ...bound });
}
