import { type Complexity, type Priority, refuse, type Size } from '@attractor/store';

const PRIORITIES: ReadonlyArray<string> = ['critical', 'high', 'medium', 'low'] satisfies ReadonlyArray<Priority>;
const SIZES: ReadonlyArray<string> = ['xs', 's', 'm', 'l', 'xl'] satisfies ReadonlyArray<Size>;
const COMPLEXITIES: ReadonlyArray<string> = ['low', 'medium', 'high'] satisfies ReadonlyArray<Complexity>;

const MAX_TITLE = 500;
const MAX_TEXT = 200_000;
const MAX_TAGS = 50;
const MAX_TAG = 100;
const MAX_CRITERIA = 100;

/** The fields of a task as someone gave them; absent ones are not looked at. */
export type TaskFields = {
  readonly title?: string;
  readonly description?: string;
  readonly plan?: string | null;
  readonly priority?: string;
  readonly size?: string;
  readonly complexity?: string;
  readonly tags?: ReadonlyArray<string>;
  readonly acceptanceCriteria?: ReadonlyArray<string | { readonly text: string }>;
  readonly sourceUrl?: string | null;
};

/** Null, or a refusal that says which field is not possible and what is. */
export function judgeTaskFields(fields: TaskFields) {
  const problem = fieldProblem(fields);
  return problem === null ? null : refuse('invalid', problem);
}

function fieldProblem(fields: TaskFields): string | null {
  return (
    titleProblem(fields.title) ??
    wordProblem('priority', fields.priority, PRIORITIES) ??
    wordProblem('size', fields.size, SIZES) ??
    wordProblem('complexity', fields.complexity, COMPLEXITIES) ??
    textProblem('description', fields.description) ??
    textProblem('plan', fields.plan) ??
    tagProblem(fields.tags) ??
    criteriaProblem(fields.acceptanceCriteria) ??
    urlProblem(fields.sourceUrl)
  );
}

function titleProblem(title: string | undefined): string | null {
  if (title === undefined) return null;
  if (title.trim() === '') return 'A task needs a title.';
  return title.length <= MAX_TITLE
    ? null
    : `The title is too long (${title.length} characters, at most ${MAX_TITLE}): put the rest into the description.`;
}

function wordProblem(field: string, value: string | undefined, words: ReadonlyArray<string>): string | null {
  return value === undefined || words.includes(value)
    ? null
    : `There is no ${field} "${value}": possible are ${words.join(', ')}.`;
}

function textProblem(field: string, value: string | null | undefined): string | null {
  return (value?.length ?? 0) <= MAX_TEXT ? null : `The ${field} is too long (at most ${MAX_TEXT} characters).`;
}

function tagProblem(tags: ReadonlyArray<string> | undefined): string | null {
  if (tags === undefined) return null;
  if (tags.length > MAX_TAGS) return `A task has at most ${MAX_TAGS} tags.`;
  const bad = tags.find((tag) => tag.trim() === '' || tag.length > MAX_TAG);
  return bad === undefined ? null : `A tag has 1 to ${MAX_TAG} characters: "${bad.slice(0, 50)}" does not.`;
}

function criteriaProblem(criteria: TaskFields['acceptanceCriteria']): string | null {
  if (criteria === undefined) return null;
  if (criteria.length > MAX_CRITERIA) return `A task has at most ${MAX_CRITERIA} acceptance criteria.`;
  const texts = criteria.map((criterion) => (typeof criterion === 'string' ? criterion : criterion.text));
  return texts.every((text) => text.trim() !== '') ? null : 'An acceptance criterion needs words.';
}

function urlProblem(url: string | null | undefined): string | null {
  if (url === undefined || url === null) return null;
  return URL.canParse(url) && /^https?:/.test(url) ? null : `"${url.slice(0, 200)}" is no web address (http or https).`;
}
