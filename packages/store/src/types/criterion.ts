import type { Actor } from './actor.ts';
import { maybe, number, oneOf, orNull, shaped, type Shaped, text } from './shape.ts';

const EVIDENCE = {
  /** A check of the project, by its name. */
  check: maybe(text),
  /** A file of the branch; with `line`, `contains` or `sha256` what is in it. */
  file: maybe(text),
  line: maybe(number),
  contains: maybe(text),
  sha256: maybe(text),
  /** A command that succeeds in the worktree. */
  command: maybe(text),
  run: maybe(text),
  artifact: maybe(text),
};

/** What shows that a criterion is met: one of `check`, `file`, `command`, `run` and `artifact`. */
export type Evidence = Shaped<typeof EVIDENCE>;

/** What an agent says about a criterion, by its number. */
export type NewClaim = { readonly criterion: number; readonly evidence: ReadonlyArray<Evidence> };

/** `shown`: the server saw it itself. `claimed`: it could not. `refuted`: it saw something else. */
export type ClaimState = 'shown' | 'claimed' | 'refuted';

/** Evidence with what the server found; `seen` says it in words. */
export type JudgedEvidence = Evidence & { readonly state: ClaimState; readonly seen: string };

/** The last claim about a criterion, bound to the commit that it was judged on. */
export type CriterionClaim = {
  readonly runId: string | null;
  readonly commit: string;
  readonly state: ClaimState;
  readonly evidence: ReadonlyArray<JudgedEvidence>;
  /** When it was said, and when it was last judged. */
  readonly saidAt: string;
  readonly at: string;
};

/** What a person decided about a criterion. */
export type CriterionMark = {
  readonly isMet: boolean;
  readonly note: string | null;
  readonly by: Actor;
  readonly at: string;
};

const STATES = ['accepted', 'shown', 'claimed', 'refuted', 'open'] as const;

/** `accepted`: a person says so. `open`: nobody claims it, or a person denies it. */
export type CriterionState = (typeof STATES)[number];

/** An acceptance criterion and how it stands. Its number stays the same, and is never given to another of the task. */
export type Criterion = {
  readonly number: number;
  readonly text: string;
  readonly state: CriterionState;
  /** Why: what was seen, or who decided. */
  readonly detail: string | null;
  readonly mark: CriterionMark | null;
  readonly claim: CriterionClaim | null;
};

export const criterion = shaped({ number, text, state: oneOf(STATES), detail: orNull(text) });

/** Whether a criterion counts as met. */
export function isMet({ state }: Pick<Criterion, 'state'>): boolean {
  return state === 'accepted' || state === 'shown';
}

type Judged = { readonly mark: CriterionMark | null; readonly claim: CriterionClaim | null; readonly met: boolean };

/** A person's word counts, unless something newer was seen that speaks against it, or an agent shows more after a denial. */
export function standingOf({ mark, claim, met }: Judged): Pick<Criterion, 'state' | 'detail'> {
  const isRefuted = claim !== null && mark !== null && claim.state === 'refuted' && claim.at > mark.at;
  if (mark !== null && mark.isMet && !isRefuted) return { state: 'accepted', detail: wordsOf(mark, 'accepted by') };
  if (mark !== null && !mark.isMet && (claim === null || claim.saidAt <= mark.at))
    return { state: 'open', detail: wordsOf(mark, 'denied by') };
  if (claim !== null) return { state: claim.state, detail: claim.evidence.map(({ seen }) => seen).join('; ') };
  return met ? { state: 'accepted', detail: 'accepted by a person' } : { state: 'open', detail: null };
}

function wordsOf({ by, note }: CriterionMark, how: string): string {
  return `${how} ${by.name ?? by.type}${note === null ? '' : `: ${note}`}`;
}

/** Each on a line, as people and agents read them. */
export function criterionLine({ number: at, text: what, state, detail }: Omit<Criterion, 'mark' | 'claim'>): string {
  const more = state === 'open' && detail === null ? '' : ` (${state}${detail === null ? '' : `: ${detail}`})`;
  return `${at}. [${isMet({ state }) ? 'x' : state === 'refuted' ? '!' : ' '}] ${what}${more}`;
}
