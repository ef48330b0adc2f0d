import type { Answers, Question } from '@attractor/journal';
import { plainLine } from '../themes/line.ts';
import { type Choice, createMenu } from './menu.ts';
import type { Panel } from './panel.ts';

export type Asking = {
  readonly questions: ReadonlyArray<Question>;
  readonly answer: (answers: Answers) => void;
  readonly isArmed: () => boolean;
  /** The next question has another panel. */
  readonly show: (panel: Panel) => void;
};

/** The model's questions, one after the other; each can be answered in one's own words. */
export function createQuestionPanel(asking: Asking, before: Answers = {}): Panel {
  const { questions, answer, show, isArmed } = asking;
  const at = Object.keys(before).length;
  const question = questions[at];
  if (question === undefined) throw new Error('there is no question left');
  const next = (value: string | ReadonlyArray<string>): void => {
    const answers = { ...before, [question.question]: value };
    if (Object.keys(answers).length >= questions.length) answer(answers);
    else show(createQuestionPanel(asking, answers));
  };
  const count = questions.length > 1 ? ` (${at + 1} of ${questions.length})` : '';
  return createMenu({
    title: [plainLine(`${question.question}${count}`, 'warn')],
    choices: choicesOf(question),
    isMany: question.multiSelect === true,
    isArmed,
    cancel: null,
    choose: (values, text) => {
      if (values.includes(OWN_WORDS)) next(text === '' ? 'No answer.' : text);
      else next(question.multiSelect === true ? values : (values[0] ?? ''));
    },
  });
}

const OWN_WORDS = 'own-words';

function choicesOf({ options }: Question): ReadonlyArray<Choice> {
  const listed = options.map(({ label, description }, index) => ({
    key: String(index + 1),
    value: label,
    label,
    ...(description === undefined ? {} : { hint: description }),
  }));
  const own = { key: 'o', value: OWN_WORDS, label: 'Something else', asks: { question: 'In your own words:' } };
  return [...listed, own];
}
