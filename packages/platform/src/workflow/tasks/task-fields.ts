import { isRecord } from '@attractor/base';
import { TASK_FIELDS, type TaskField } from '@attractor/facts';
import { refuse } from '@attractor/store';

/** Null, or a refusal that says which field is invalid and what is valid. Absent fields are not checked. */
export function judgeTaskFields(given: object, fields: Readonly<Record<string, TaskField>> = TASK_FIELDS) {
  const problems = Object.entries(fields)
    .toSorted(([, one], [, other]) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
    .map(([name, field]) => problemOf(name, field, Reflect.get(given, name)));
  const problem = problems.find((found) => found !== null) ?? null;
  return problem === null ? null : refuse('invalid', problem);
}

/** Which of several problems is reported first. */
const KINDS: ReadonlyArray<TaskField['kind']> = ['line', 'choice', 'text', 'words', 'criteria', 'address'];

function problemOf(name: string, field: TaskField, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (field.kind) {
    case 'line':
      return lineProblem(name, text, field.longest);
    case 'choice':
      return field.choices.some((choice) => choice === value)
        ? null
        : `There is no ${name} "${text}": possible are ${field.choices.join(', ')}.`;
    case 'text':
      return text.length <= field.longest ? null : `The ${name} is too long (at most ${field.longest} characters).`;
    case 'words':
      return wordsProblem(name, value, field);
    case 'criteria':
      return criteriaProblem(value, field.most);
    case 'address':
      return addressProblem(text);
    case 'name':
    case 'names':
      return null;
  }
}

function lineProblem(name: string, line: string, longest: number): string | null {
  if (line.trim() === '') return `A task needs a ${name}.`;
  return line.length <= longest
    ? null
    : `The ${name} is too long (${line.length} characters, at most ${longest}): put the rest into the description.`;
}

type Bounds = { readonly most: number; readonly longest: number };

function wordsProblem(name: string, value: unknown, { most, longest }: Bounds): string | null {
  const words = Array.isArray(value) ? value.map(String) : [];
  if (words.length > most) return `A task has at most ${most} ${name}.`;
  const bad = words.find((word) => word.trim() === '' || word.length > longest);
  return bad === undefined
    ? null
    : `A ${name.replace(/s$/, '')} has 1 to ${longest} characters: "${bad.slice(0, 50)}" does not.`;
}

function criteriaProblem(value: unknown, most: number): string | null {
  const criteria: ReadonlyArray<unknown> = Array.isArray(value) ? value : [];
  if (criteria.length > most) return `A task has at most ${most} acceptance criteria.`;
  const texts = criteria.map((criterion) => (isRecord(criterion) ? criterion['text'] : criterion));
  return texts.every((text) => String(text).trim() !== '') ? null : 'The acceptance criterion is empty.';
}

function addressProblem(url: string): string | null {
  return URL.canParse(url) && /^https?:/.test(url)
    ? null
    : `"${url.slice(0, 200)}" is not a web address (http or https).`;
}
