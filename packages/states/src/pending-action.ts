import { defined } from '@attractor/base';
import { promptText } from '@attractor/pipeline';
import type { Prompt, PromptPayload } from '@attractor/store';
import { actsOf } from './completed-actions.ts';
import type { StateFacts } from './state-facts.ts';
import type { TaskState } from './state-words.ts';

/** What a person is asked to do, with all that is needed to answer. */
export type PendingAction = {
  /** What would be done (`run_command`, `create_file`, …), or the question: `clarification`, `plan_approval`, `review`, … */
  readonly type: string;
  readonly command?: string;
  readonly path?: string;
  readonly title: string;
  /** All that is shown, as text. */
  readonly text: string;
  readonly questions?: NonNullable<PromptPayload['question']['questions']>;
  readonly options?: NonNullable<PromptPayload['options']['options']>;
  /** Null if nothing was asked: the task waits for a decision that its next steps name. */
  readonly prompt_id: string | null;
  readonly key: string | null;
  /** An answer with this hash counts for exactly what was shown. */
  readonly content_hash: string | null;
};

/** Null unless nothing goes on before a person answered or decided. */
export function pendingActionOf({ task, pipeline, prompts }: StateFacts, state: TaskState): PendingAction | null {
  if (pipeline.terminalStatuses.includes(task.status)) return null;
  const [prompt] = prompts;
  if (state.kind === 'waiting' && prompt !== undefined) return actionOf(prompt);
  if (state.kind === 'waiting') return undecided('decision', state);
  return state.kind === 'open' ? undecided('start', state) : null;
}

function undecided(type: 'decision' | 'start', { label, detail, steps }: TaskState): PendingAction {
  const ways = steps.map((step) => `${step.label}: ${step.command}`);
  const text = [...(detail === null ? [] : [detail]), ...ways].join('\n');
  return { type, title: label, text, prompt_id: null, key: null, content_hash: null };
}

function actionOf(prompt: Prompt): PendingAction {
  const { id, key, title, contentHash } = prompt;
  return { ...aboutOf(prompt), title, text: promptText(prompt), prompt_id: id, key, content_hash: contentHash };
}

type About = Pick<PendingAction, 'type' | 'command' | 'path' | 'questions' | 'options'>;

function aboutOf(prompt: Prompt): About {
  switch (prompt.type) {
    case 'tool_approval':
      return toolAction(prompt.payload);
    case 'question':
      return { type: 'clarification', ...defined({ questions: prompt.payload.questions }) };
    case 'options':
      return { type: 'clarification', ...defined({ options: prompt.payload.options }) };
    default:
      return { type: prompt.type };
  }
}

/** The first thing that the call would do; a patch may touch several files, and its text shows all of them. */
function toolAction({ toolName, input }: PromptPayload['tool_approval']): About {
  const [act] = actsOf(toolName, { args: input });
  if (act === undefined) return { type: toolName };
  const { action: type, ...rest } = act;
  return { type, ...rest };
}
