import type { ElicitationAnswer, ParsedHookAnswer, PermissionAnswer, RequestDecision } from './answer.ts';

/** The combined outcome of all handlers of one event. If `ran` is 0 there were none, and everything else is empty. */
export type HookOutcome = {
  readonly ran: number;
  readonly block: string | null;
  readonly permission: { readonly word: PermissionAnswer; readonly reason: string } | null;
  readonly updatedInput: Readonly<Record<string, unknown>> | null;
  readonly updatedOutput: string | null;
  readonly context: ReadonlyArray<string>;
  /** Why the work must stop. */
  readonly stop: string | null;
  /** For the person. */
  readonly messages: ReadonlyArray<string>;
  readonly request: RequestDecision | null;
  readonly retry: boolean;
  readonly initialMessage: string | null;
  readonly watchPaths: ReadonlyArray<string>;
  readonly elicitation: ElicitationAnswer | null;
  readonly worktreePath: string | null;
  readonly title: string | null;
  /** What is shown in place of what the model said; null: that. */
  readonly display: string | null;
  readonly reloadsSkills: boolean;
  /** What was asked for that has no effect here. */
  readonly unheeded: ReadonlyArray<string>;
};

export const NO_OUTCOME: HookOutcome = {
  ran: 0,
  block: null,
  permission: null,
  updatedInput: null,
  updatedOutput: null,
  context: [],
  stop: null,
  messages: [],
  request: null,
  retry: false,
  initialMessage: null,
  watchPaths: [],
  elicitation: null,
  worktreePath: null,
  title: null,
  display: null,
  reloadsSkills: false,
  unheeded: [],
};

/** The stricter answer wins. */
const STRICTNESS: Readonly<Record<PermissionAnswer, number>> = { allow: 0, ask: 1, defer: 2, deny: 3 };

/**
 * Merged in the order in which the handlers were written, whichever finished first, so the same answers always give the same outcome.
 * Reasons to block add up; if two replace the same thing the later one counts.
 */
export function mergeAnswers(words: ReadonlyArray<ParsedHookAnswer>): HookOutcome {
  const blocks = words.flatMap(({ block }) => block ?? []);
  const requests = words.flatMap(({ request }) => request ?? []);
  const elicitations = words.flatMap(({ elicitation }) => elicitation ?? []);
  return {
    ran: words.length,
    block: blocks.length === 0 ? null : blocks.join('\n'),
    permission: strictest(words.flatMap(({ permission }) => permission ?? [])),
    updatedInput: words.findLast(({ updatedInput }) => updatedInput !== undefined)?.updatedInput ?? null,
    updatedOutput: words.findLast(({ updatedOutput }) => updatedOutput !== undefined)?.updatedOutput ?? null,
    context: words.flatMap(({ context }) => context ?? []),
    stop: words.find(({ stop }) => stop !== undefined)?.stop ?? null,
    messages: words.flatMap(({ message }) => message ?? []),
    request: requests.find(({ behavior }) => behavior === 'deny') ?? requests.at(-1) ?? null,
    retry: words.some(({ retry }) => retry === true),
    initialMessage: words.flatMap(({ initialMessage }) => initialMessage ?? []).join('\n') || null,
    watchPaths: words.flatMap(({ watchPaths }) => watchPaths ?? []),
    elicitation: elicitations.find(({ action }) => action !== 'accept') ?? elicitations.at(-1) ?? null,
    worktreePath: words.findLast(({ worktreePath }) => worktreePath !== undefined)?.worktreePath ?? null,
    display: words.findLast(({ display }) => display !== undefined)?.display ?? null,
    title: words.findLast(({ title }) => title !== undefined)?.title ?? null,
    reloadsSkills: words.some(({ reloadsSkills }) => reloadsSkills === true),
    unheeded: [...new Set(words.flatMap(({ unheeded }) => unheeded ?? []))],
  };
}

type Permission = NonNullable<HookOutcome['permission']>;

function strictest(all: ReadonlyArray<Permission>): Permission | null {
  let found: Permission | null = null;
  for (const one of all) if (found === null || STRICTNESS[one.word] > STRICTNESS[found.word]) found = one;
  if (found === null) return null;
  const { word } = found;
  const reasons = all.filter((one) => one.word === word).map(({ reason }) => reason);
  return { word, reason: [...new Set(reasons)].join('\n') };
}
