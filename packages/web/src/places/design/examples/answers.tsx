import type { PromptOf, PromptType } from '@attractor/api';
import { BudgetQuestion } from '../../../waiting/budget-question.tsx';
import { OptionsForm } from '../../../waiting/options.tsx';
import { PlanApproval } from '../../../waiting/plan-approval.tsx';
import { QuestionForm } from '../../../waiting/question.tsx';
import { SplitForm } from '../../../waiting/split.tsx';
import { ToolApproval } from '../../../waiting/tool-approval.tsx';
import { Refused } from '../../../ui/notice.tsx';
import { acted, FAILURE, HOSTILE, LONG, none, NOTHING, type Part } from './example.tsx';

type Payload<Type extends PromptType> = PromptOf<Type>['payload'];

/** Asked, with a busy or an idle form. */
function asked<Type extends PromptType>(type: Type, payload: Payload<Type>, busy = false) {
  const prompt = {
    id: `prm_${type}`,
    key: 'SHOP-12.q1',
    taskId: 'tsk_1',
    runId: null,
    type,
    title: 'Which date format?',
    payload,
    contentHash: '',
    status: 'pending',
    answer: null,
    createdAt: '2026-01-01T10:00:00.000Z',
    answeredAt: null,
  } as unknown as PromptOf<Type>;
  return { prompt, busy, onAnswer: NOTHING };
}

const question = (text: string): Payload<'question'> => ({
  questions: [
    { id: 'a', question: text, context: text, suggested: text, options: [text, 'Both'] },
    { id: 'b', question: 'Keep the old ones?', inputType: 'yes_no' },
  ],
});
const options = (text: string): Payload<'options'> => ({
  summary: text,
  options: [
    { id: 'a', label: text, description: text, tradeoffs: text, recommended: true },
    { id: 'b', label: 'In memory', description: 'Fast, and gone after a restart.' },
  ],
});
const split = (text: string): Payload<'split_proposal'> => ({
  reason: text,
  subtasks: [{ name: 'reader', title: text, description: text, acceptanceCriteria: [text] }],
});
const tool = (text: string): Payload<'tool_approval'> => ({
  toolCallId: 'call',
  toolName: 'shell',
  input: { command: text },
  reason: text,
  suggestions: [{ rules: [`shell(${text})`], destination: 'localSettings', file: text }],
});

const READERS = none('Who may not answer sees it disabled as a whole, with who may.');
const REFUSED = none('Why an answer was refused stands under it, as Refused.');
const WITH_REFUSAL = (form: React.ReactNode) => (
  <div className="flex flex-col gap-2">
    {form}
    <Refused error={FAILURE} />
  </div>
);

/** What waits for a person, as it is asked. */
export const ANSWERS: ReadonlyArray<Part> = [
  {
    of: 'QuestionForm',
    from: 'waiting/question.tsx',
    states: {
      ...acted(<QuestionForm {...asked('question', question('ISO'))} />),
      disabled: (
        <fieldset disabled>
          <QuestionForm {...asked('question', question('ISO'))} />
        </fieldset>
      ),
      busy: <QuestionForm {...asked('question', question('ISO'), true)} />,
      error: WITH_REFUSAL(<QuestionForm {...asked('question', question('ISO'))} />),
      empty: <QuestionForm {...asked('question', {})} />,
      long: <QuestionForm {...asked('question', question(LONG))} />,
      hostile: <QuestionForm {...asked('question', question(HOSTILE))} />,
    },
  },
  {
    of: 'OptionsForm',
    from: 'waiting/options.tsx',
    states: {
      ...acted(<OptionsForm {...asked('options', options('On disk'))} />),
      disabled: READERS,
      busy: <OptionsForm {...asked('options', options('On disk'), true)} />,
      error: REFUSED,
      empty: <OptionsForm {...asked('options', {})} />,
      long: <OptionsForm {...asked('options', options(LONG))} />,
      hostile: <OptionsForm {...asked('options', options(HOSTILE))} />,
    },
  },
  {
    of: 'PlanApproval',
    from: 'waiting/plan-approval.tsx',
    states: {
      ...acted(<PlanApproval {...asked('plan_approval', { plan: '1. Read\n2. Change' })} />),
      disabled: READERS,
      busy: <PlanApproval {...asked('plan_approval', { plan: '1. Read\n2. Change' }, true)} />,
      error: REFUSED,
      empty: <PlanApproval {...asked('plan_approval', {})} />,
      long: <PlanApproval {...asked('plan_approval', { plan: LONG })} />,
      hostile: <PlanApproval {...asked('plan_approval', { plan: HOSTILE })} />,
    },
  },
  {
    of: 'SplitForm',
    from: 'waiting/split.tsx',
    states: {
      ...acted(<SplitForm {...asked('split_proposal', split('Two parts'))} />),
      disabled: READERS,
      busy: <SplitForm {...asked('split_proposal', split('Two parts'), true)} />,
      error: REFUSED,
      empty: <SplitForm {...asked('split_proposal', { subtasks: [] })} />,
      long: <SplitForm {...asked('split_proposal', split(LONG))} />,
      hostile: <SplitForm {...asked('split_proposal', split(HOSTILE))} />,
    },
  },
  {
    of: 'ToolApproval',
    from: 'waiting/tool-approval.tsx',
    states: {
      ...acted(<ToolApproval {...asked('tool_approval', tool('npm test'))} />),
      disabled: READERS,
      busy: <ToolApproval {...asked('tool_approval', tool('npm test'), true)} />,
      error: REFUSED,
      empty: <ToolApproval {...asked('tool_approval', { toolCallId: 'call', toolName: 'shell', input: {} })} />,
      long: <ToolApproval {...asked('tool_approval', tool(LONG))} />,
      hostile: <ToolApproval {...asked('tool_approval', tool(HOSTILE))} />,
    },
  },
  {
    of: 'BudgetQuestion',
    from: 'waiting/budget-question.tsx',
    states: {
      ...acted(<BudgetQuestion {...asked('budget', { budgetId: 'b', spent: '$5.00', raiseUsd: 5 })} />),
      disabled: READERS,
      busy: <BudgetQuestion {...asked('budget', { budgetId: 'b', spent: '$5.00', raiseUsd: 5 }, true)} />,
      error: REFUSED,
      empty: <BudgetQuestion {...asked('budget', { budgetId: 'b' })} />,
      long: (
        <BudgetQuestion
          {...asked('budget', {
            budgetId: 'b',
            spent: '$5.00',
            raiseUsd: 5,
            raiseTokens: 900_000,
            raisedTo: '$10.00 and 1,800,000 tokens',
          })}
        />
      ),
      hostile: <BudgetQuestion {...asked('budget', { budgetId: 'b', spent: HOSTILE, raiseUsd: 5 })} />,
    },
  },
];
