import { readSplit } from '@attractor/pipeline';
import { type ApprovalRequest, problemOfRules } from '@attractor/policy';
import { offeredAnswers, type Prompt, type PromptAnswer, type PromptPayload } from '@attractor/store';
import { chosenSubtasks } from './chosen-subtasks.ts';

type Answers = NonNullable<PromptAnswer['answers']>;

/** Why this answer does not fit what was asked, and what would; null if it does. */
export function problemOf(prompt: Prompt, answer: PromptAnswer): string | null {
  if (prompt.type === 'tool_approval') return problemOfApproval(prompt.payload, answer);
  if (prompt.type === 'question')
    return problemOfQuestions(prompt.payload, answer.answers ?? []) ?? problemOfSilence(prompt.payload, answer);
  if (prompt.type === 'options')
    return problemOfOptions(prompt.payload, answer.answers ?? []) ?? problemOfNoChoice(prompt.payload, answer);
  if (prompt.type === 'split_proposal') return problemOfSplit(prompt.payload, answer);
  return prompt.type === 'plan_approval' || prompt.type === 'review' ? problemOfDecision(prompt.payload, answer) : null;
}

function problemOfSplit(payload: PromptPayload['split_proposal'], answer: PromptAnswer): string | null {
  const { decision, only, subtasks, message } = answer;
  if (decision === 'changes' && !hasWords(message))
    return 'Say what should be different: the agent then proposes again.';
  if (decision !== 'approve') return problemOfDecision(payload, answer);
  if (only !== undefined && subtasks !== undefined) return 'Choose some of the subtasks, or give a list: not both.';
  const names = payload.subtasks.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) return `There is no subtask "${unknown}"; proposed are ${names.join(', ')}.`;
  const read = readSplit(chosenSubtasks(payload, answer));
  if (!('problem' in read)) return problemOfDecision(payload, answer);
  return only === undefined ? read.problem : `${read.problem} Choose it too, or give a list in which nothing needs it.`;
}

/** A decision that leads nowhere would close the question and leave the task where it is. */
function problemOfDecision(
  { answers }: Pick<PromptPayload['review'], 'answers'>,
  { decision }: PromptAnswer,
): string | null {
  if (answers === undefined || decision in answers) return null;
  return `"${decision}" leads nowhere from here; possible answers are ${Object.keys(answers).join(', ')}.`;
}

/** Words of the person's own answer everything. */
function problemOfSilence(
  { questions = [] }: PromptPayload['question'],
  { answers = [], message }: PromptAnswer,
): string | null {
  if (hasWords(message)) return null;
  const given = new Set(answers.filter(({ answer }) => hasWords(answer)).map(({ questionId }) => questionId));
  if (questions.length === 0) return given.size === 0 ? 'Give the answer: the agent waits for it.' : null;
  const open = questions.filter(({ id }) => !given.has(id)).map(({ id }) => id);
  return open.length === 0 ? null : `Not answered: ${open.join(', ')}. Answer each, or put all of it into the message.`;
}

function problemOfNoChoice(
  { options = [] }: PromptPayload['options'],
  { answers = [], message }: PromptAnswer,
): string | null {
  if (hasWords(message) || answers.some(({ answer }) => hasWords(answer))) return null;
  return `Choose one of ${options.map(({ id }) => id).join(', ')}, or answer in the message.`;
}

function hasWords(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

function problemOfApproval(request: ApprovalRequest, answer: PromptAnswer): string | null {
  const problem = problemOfRules(request, answer);
  return problem === null ? null : `The rule can't be kept: ${problem}.`;
}

function problemOfQuestions({ questions = [] }: PromptPayload['question'], answers: Answers): string | null {
  if (questions.length === 0) return null;
  const twice = answers.find((one, at) => answers.findIndex(({ questionId }) => questionId === one.questionId) < at);
  if (twice !== undefined) return `"${twice.questionId}" is answered twice: give one answer.`;
  for (const { questionId, answer } of answers) {
    const asked = questions.find(({ id }) => id === questionId);
    if (asked === undefined)
      return `There is no question "${questionId}"; asked are ${questions.map(({ id }) => id).join(', ')}.`;
    const { inputType } = asked;
    const options = inputType === 'choice' || inputType === 'boolean' ? offeredAnswers(asked) : [];
    const isPossible = options.includes(answer) || (inputType === 'boolean' && YES_OR_NO.test(answer));
    if (options.length > 0 && !isPossible)
      return `"${answer}" is not offered for "${questionId}"; choose one of ${options.join(', ')}.`;
  }
  return null;
}

/** As programs and people write it. */
/** "no, the name stays" is an answer as well. */
const YES_OR_NO = /^(?:y|yes|n|no|true|false)(?:\s*[,;:.!–-]|\s*$)/i;

/** The names under which an option is chosen, since there is only one question. */
const CHOICE: ReadonlySet<string> = new Set(['option', 'answer']);

function problemOfOptions({ options = [] }: PromptPayload['options'], answers: Answers): string | null {
  if (options.length === 0) return null;
  if (answers.length > 1) return 'Choose one option; put anything else into the message.';
  for (const { questionId, answer } of answers) {
    if (!CHOICE.has(questionId)) return `There is no question "${questionId}"; choose with "option".`;
    if (!options.some(({ id, label }) => answer === id || answer === label))
      return `"${answer}" is not offered; choose one of ${options.map(({ id }) => id).join(', ')}, or answer in the message.`;
  }
  return null;
}
