export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export const SIZES = ['xs', 's', 'm', 'l', 'xl'] as const;
export const COMPLEXITIES = ['low', 'medium', 'high'] as const;

/** Where people set a field: when they create a task, change one, or define a template. */
export type FieldPlace = 'create' | 'edit' | 'template';

/** What a value may be. A line is never empty; a name refers to something else that must exist. */
type Kind =
  | { readonly kind: 'line'; readonly longest: number }
  | { readonly kind: 'text'; readonly longest: number }
  | { readonly kind: 'address'; readonly longest: number }
  | { readonly kind: 'name'; readonly longest?: number }
  | { readonly kind: 'names'; readonly most: number }
  | { readonly kind: 'choice'; readonly choices: readonly [string, ...string[]] }
  | { readonly kind: 'words'; readonly most: number; readonly longest: number }
  | { readonly kind: 'criteria'; readonly most: number; readonly longest: number };

export type TaskField = Kind & {
  readonly in: ReadonlyArray<FieldPlace>;
  /** Its column, if it is stored. Lists are stored as JSON. */
  readonly column?: string;
  /** The value of a task for which nobody set it. */
  readonly preset?: string | null | ReadonlyArray<never>;
  /** It is the id of something of this type. */
  readonly id?: string;
  /** An edit may remove it. */
  readonly clearable?: true;
  /** The flag on the command line, and its help text. A list field may be given more than once. */
  readonly flag: string;
  readonly about: string;
  /** The help text for an edit; null: no flag there, only JSON. */
  readonly aboutEdit?: string | null;
  /** Its name in the head of a document, besides the API's name. */
  readonly document?: string;
  /** Its label where a task is shown with all its facts in short. */
  readonly label?: string;
};

const EVERYWHERE = ['create', 'edit', 'template'] as const;
const LONGEST_TEXT = 200_000;

/**
 * Every field of a task that people may set, in the order in which they are asked for. The API's shapes, the platform's rules and types,
 * the flags, the head of a document and the contents of a template all derive from this.
 */
export const TASK_FIELDS = {
  title: {
    kind: 'line',
    longest: 500,
    in: EVERYWHERE,
    column: 'title',
    flag: '--title <text>',
    about: 'in a sentence, what should be done',
  },
  description: {
    kind: 'text',
    longest: LONGEST_TEXT,
    in: EVERYWHERE,
    column: 'description',
    preset: '',
    flag: '--description <text>',
    about: 'more about it',
  },
  pipelineId: {
    kind: 'name',
    in: EVERYWHERE,
    column: 'pipeline_id',
    flag: '--pipeline <id>',
    about: 'the pipeline that it follows',
    document: 'pipeline',
  },
  priority: {
    kind: 'choice',
    choices: PRIORITIES,
    in: EVERYWHERE,
    column: 'priority',
    preset: 'medium',
    flag: '--priority <level>',
    about: 'how urgent',
    label: 'priority',
  },
  size: {
    kind: 'choice',
    choices: SIZES,
    in: EVERYWHERE,
    column: 'size',
    preset: 'm',
    flag: '--size <size>',
    about: 'how much work',
    label: 'size',
  },
  complexity: {
    kind: 'choice',
    choices: COMPLEXITIES,
    in: EVERYWHERE,
    column: 'complexity',
    preset: 'medium',
    flag: '--complexity <level>',
    about: 'how hard',
    label: 'complexity',
  },
  tags: {
    kind: 'words',
    most: 50,
    longest: 100,
    in: EVERYWHERE,
    column: 'tags',
    preset: [],
    flag: '--tag <name>',
    about: 'a tag',
    label: 'tags',
  },
  plan: {
    kind: 'text',
    longest: LONGEST_TEXT,
    in: ['create', 'edit'],
    column: 'plan',
    preset: null,
    clearable: true,
    flag: '--plan <text>',
    about: 'how it should be done',
  },
  sourceUrl: {
    kind: 'address',
    longest: 2_000,
    in: ['create', 'edit'],
    column: 'source_url',
    preset: null,
    clearable: true,
    flag: '--source-url <url>',
    about: 'where it came from',
  },
  acceptanceCriteria: {
    kind: 'criteria',
    most: 100,
    longest: 2_000,
    in: EVERYWHERE,
    column: 'acceptance',
    preset: [],
    flag: '--criterion <text>',
    about: 'what must be true in the end',
    aboutEdit: null,
    document: 'criteria',
  },
  parentTaskId: {
    kind: 'name',
    id: 'tsk',
    in: ['create', 'edit'],
    column: 'parent_id',
    preset: null,
    clearable: true,
    flag: '--parent <id>',
    about: 'the task it is a part of',
    aboutEdit: 'the task it is a part of; "none" makes it independent',
    document: 'parent',
  },
  dependsOn: {
    kind: 'names',
    most: 100,
    in: ['create'],
    flag: '--depends-on <id>',
    about: 'a task that must end first',
  },
  template: {
    kind: 'name',
    in: ['create'],
    flag: '--template <name>',
    about: 'id or name; fields that are not given are taken from it',
  },
  taskType: {
    kind: 'name',
    longest: 100,
    in: ['create'],
    flag: '--type <name>',
    about: "such as bug: chooses the pipeline by the project's settings",
    document: 'type',
  },
} as const satisfies Readonly<Record<string, TaskField>>;

const FIELDS: Readonly<Record<string, TaskField>> = TASK_FIELDS;

/** The fields that may be set in this place, by name. */
export function fieldsFor(
  place: FieldPlace,
  fields: Readonly<Record<string, TaskField>> = FIELDS,
): ReadonlyArray<readonly [string, TaskField]> {
  return Object.entries(fields).filter(([, field]) => field.in.includes(place));
}

const STORED = Object.entries(FIELDS).flatMap(([name, field]) =>
  field.column === undefined ? [] : [[name, { ...field, column: field.column }] as const],
);

/** The fields that a task stores, by name. */
export function storedFields(): ReadonlyArray<readonly [string, TaskField & { readonly column: string }]> {
  return STORED;
}

/** Several values, each of which may be given separately. */
export function isList({ kind }: TaskField): boolean {
  return kind === 'words' || kind === 'names' || kind === 'criteria';
}
