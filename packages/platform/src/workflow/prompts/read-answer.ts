import {
  type GivenAnswer,
  ofPlan,
  planProblemText,
  type Prompt,
  type PromptAnswer,
  readPlanText,
} from '@attractor/store';
import { readWords } from './read-words.ts';

/** The answer in the form in which it is judged and stored, or why there is none. */
type ReadAnswer = { readonly answer: PromptAnswer } | { readonly problem: string; readonly places?: unknown };

/** Words that decide about a plan are a decision, and a corrected plan is its text, whatever form it came in. */
export function readAnswer(prompt: Prompt, { plan, ...given }: GivenAnswer): ReadAnswer {
  const answer = decided(prompt, given);
  if (answer === null) return { problem: SAY };
  if (plan === undefined) return { answer };
  if (prompt.type !== 'plan_approval') return { problem: 'Only an answer to a plan can contain a plan.' };
  const read = typeof plan === 'string' ? readPlanText(plan) : ofPlan(plan);
  if (read.kind !== 'invalid')
    return read.text === '' ? { problem: EMPTY } : { answer: { ...answer, plan: read.text } };
  // A plan that was words from the start may have any headings.
  const wasWords = prompt.payload.data === undefined || prompt.payload.data === null;
  if (wasWords && read.form === 'markdown' && typeof plan === 'string')
    return { answer: { ...answer, plan: plan.trim() } };
  return { problem: planProblemText(read.problems), places: read.problems };
}

const SAY =
  'Begin with the decision: "approve", "approve, but …", "reject: …" or "changes: …"; or give the decision itself.';
const EMPTY = 'The plan is empty: approve it as it was shown, or reject it.';

function decided({ type }: Prompt, given: PromptAnswer): PromptAnswer | null {
  const { message, ...others } = given;
  if (type !== 'plan_approval' || given.decision !== 'answer' || message === undefined) return given;
  const words = readWords(message);
  return words === null ? null : { ...others, ...words };
}
