import { isRecord } from '@attractor/base';
import { planMarkdown } from './plan-markdown.ts';
import { type Plan, type PlanProblem, readPlan } from './plan.ts';
import { readPlanMarkdown } from './read-plan-markdown.ts';

/**
 * What a text of a plan says: a plan as JSON, a plan under the headings of `planMarkdown`, or words in a form of their own, which nobody but
 * people and agents can read.
 */
export type PlanText =
  | { readonly kind: 'data'; readonly plan: Plan; readonly text: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'invalid'; readonly form: 'json' | 'markdown'; readonly problems: ReadonlyArray<PlanProblem> };

/** JSON becomes the markdown that is made from it. Markdown stays as it was written. */
export function readPlanText(written: string): PlanText {
  const text = written.trim();
  const json = jsonIn(text);
  if (json !== null) {
    if ('problem' in json) return { kind: 'invalid', form: 'json', problems: [{ path: '$', expected: json.problem }] };
    return ofPlan(json.value);
  }
  const read = readPlanMarkdown(text);
  if (read === null) return { kind: 'words', text };
  if ('plan' in read) return { kind: 'data', plan: read.plan, text };
  return { kind: 'invalid', form: 'markdown', problems: read.problems };
}

/** A plan as an object, in the same terms. */
export function ofPlan(value: unknown): PlanText {
  const read = readPlan(value);
  return 'plan' in read
    ? { kind: 'data', plan: read.plan, text: planMarkdown(read.plan) }
    : { kind: 'invalid', form: 'json', problems: read.problems };
}

/** The plan that a stored text holds, if it holds one. */
export function planIn(text: string | null): Plan | null {
  const read = text === null ? null : readPlanText(text);
  return read?.kind === 'data' ? read.plan : null;
}

/** Null if the text is not meant as JSON; it may stand in a fence. */
function jsonIn(text: string): { readonly value: unknown } | { readonly problem: string } | null {
  const body = /^```(?:json)?\n([\s\S]*)\n```$/.exec(text)?.[1]?.trim() ?? text;
  if (!body.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(body);
    // The form in which agents report it.
    return {
      value: isRecord(value) && Object.keys(value).length === 1 && isRecord(value['plan']) ? value['plan'] : value,
    };
  } catch (error) {
    return { problem: `JSON (${error instanceof Error ? error.message : 'it can not be read'})` };
  }
}
