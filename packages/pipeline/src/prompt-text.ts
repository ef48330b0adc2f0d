import { isRecord } from '@attractor/base';
import {
  criterionLine,
  deviationLine,
  offeredAnswers,
  type Prompt,
  type PromptPayload,
  splitText,
  taskKeyOf,
} from '@attractor/store';

/** All that a question shows, as plain text: the same in a terminal, in a notification and over HTTP. */
export function promptText(prompt: Prompt): string {
  switch (prompt.type) {
    case 'plan_approval':
      return prompt.payload.plan ?? 'There is no text of a plan.';
    case 'review':
      return reviewText(prompt.payload, taskKeyOf(prompt));
    case 'split_proposal':
      return splitText(prompt.payload);
    case 'question':
      return questionText(prompt.payload) || prompt.title;
    case 'options':
      return optionText(prompt.payload) || prompt.title;
    case 'tool_approval':
      return toolText(prompt.payload);
    case 'budget':
      return budgetText(prompt.payload);
    case 'unknown':
      return `A question of the type "${prompt.payload.type}", which this version can't read.`;
  }
}

function reviewText(payload: PromptPayload['review'], taskKey: string): string {
  const { branch, proposedPhases, criteria = [], todo = [], deviations = [] } = payload;
  const checks = 'checks' in payload && Array.isArray(payload.checks) ? payload.checks : [];
  return [
    ...(branch === undefined || branch === null ? [] : [`Branch ${branch}`]),
    ...checks.filter(isRecord).flatMap(checkLine),
    ...criteria.map((one) => `Criterion ${criterionLine(one)}`),
    ...todo.map((one) => `Plan ${criterionLine(one)}`),
    ...deviations.map((one) => `Not as planned: ${deviationLine(one)}`),
    ...(Array.isArray(proposedPhases) ? proposedPhases.filter(isRecord).map(phaseLine) : []),
    ...(branch === undefined || branch === null ? [] : [`The change: attractor tasks diff ${taskKey}`]),
  ].join('\n');
}

function checkLine({ name, phase, passed, expected }: Readonly<Record<string, unknown>>): ReadonlyArray<string> {
  const end = passed === true ? 'passes' : expected === true ? 'fails, as it has to before the work' : 'fails';
  return phase === 'branch' ? [`Check ${String(name)} ${end}`] : [];
}

function phaseLine({ name, description }: Readonly<Record<string, unknown>>, at: number): string {
  return `Part ${at + 1}: ${String(name)}${typeof description === 'string' ? `: ${description}` : ''}`;
}

function questionText({ questions = [], question = '' }: PromptPayload['question']): string {
  if (questions.length === 0) return question;
  return questions
    .map((asked) => {
      const { id, question: text, context, inputType, suggested } = asked;
      const only = inputType === 'choice' || inputType === 'boolean' ? 'one of' : 'for example';
      const options = offeredAnswers(asked).map((one) => (one === suggested ? `${one} (suggested)` : one));
      const offered = options.length === 0 ? [] : [`  ${only}: ${options.join(' | ')}`];
      return [`[${id}] ${text}`, ...(context === undefined ? [] : [`  ${context}`]), ...offered].join('\n');
    })
    .join('\n');
}

function optionText({ summary, options = [] }: PromptPayload['options']): string {
  const lines = options.flatMap(({ id, label, description, tradeoffs, recommended }) => [
    `[${id}] ${label}${recommended === true ? ' (recommended)' : ''}: ${description}`,
    ...(tradeoffs === undefined ? [] : [`  ${tradeoffs}`]),
  ]);
  return [...(summary === undefined ? [] : [summary]), ...lines].join('\n');
}

function toolText({ toolName, shown, command, input, reason }: PromptPayload['tool_approval']): string {
  const what = shown ?? command ?? JSON.stringify(input, null, 2);
  return [`${toolName}:`, what, ...(reason === undefined ? [] : [reason])].join('\n');
}

function budgetText({ spent, raiseUsd, raiseTokens, raisedTo }: PromptPayload['budget']): string {
  const more = [
    ...(typeof raiseUsd === 'number' ? [`$${raiseUsd}`] : []),
    ...(typeof raiseTokens === 'number' ? [`${raiseTokens} tokens`] : []),
  ];
  const to = raisedTo === undefined ? '' : `: the new limit is ${raisedTo}`;
  const raise = more.length === 0 ? [] : [`Approving adds ${more.join(' and ')}${to}.`];
  return [...(spent === undefined ? [] : [`Spent: ${spent}`]), ...raise].join('\n');
}
