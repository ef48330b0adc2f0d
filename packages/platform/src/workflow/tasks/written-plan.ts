import { done } from '@attractor/base';
import { planIn, planProblemText, readPlanText, refuse, type Result } from '@attractor/store';

/**
 * A plan as a person or a program wrote it, in the form in which it is stored. One that is meant as data is checked: as JSON always, as
 * markdown if the plan before it was data. Words of any other form stay as they are.
 */
export function writtenPlan(written: string, before: string | null): Result<string> {
  const read = readPlanText(written);
  if (read.kind === 'invalid' && (read.form === 'json' || planIn(before) !== null))
    return refuse('invalid', planProblemText(read.problems), read.problems);
  const isJson = read.kind === 'data' && read.text !== written.trim();
  return done(isJson ? read.text : written);
}
