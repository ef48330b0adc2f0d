import type { SessionView } from '../conversation/view.ts';
import type { Turn } from '../types/index.ts';
import type { CompactionTrigger } from './contract.ts';
import { digestOf } from './digest.ts';
import { ledgerOf, type Ledger } from './ledger.ts';
import type { Span } from '../conversation/compacted.ts';
import { prefixOf } from './prefix.ts';
import { charsFor, tokensOfText, tokensOfTurn, tokensOfTurns } from '../conversation/tokens.ts';

/** Shares of the window, or of the conversation where that is smaller. */
const KEPT = 0.2;
const LAST_ROUND = 0.5;
const LEDGER = 0.2;
const SUMMARY = 0.06;
const MAX_SUMMARY_TOKENS = 4000;
const MIN_SUMMARY_TOKENS = 200;

/** By trigger: the minimum to free, as a share of the window, so that the next compaction is not due at once. */
const MIN_GAIN: Readonly<Record<CompactionTrigger, number>> = { auto: 0.1, manual: 0, overflow: 0 };

/** Which turns would be replaced, and by what. A compaction that frees too little is never planned, so none is repeated. */
export type Plan = {
  readonly replaced: ReadonlyArray<Turn>;
  /** The number of the first replaced turn, from 1. */
  readonly first: number;
  readonly keptTurns: number;
  readonly ledger: Ledger;
  readonly before: string | null;
  readonly digest: string;
  readonly id: string;
  readonly tokensBefore: number;
  /** The maximum number of tokens of a prefix; a longer one is refused. */
  readonly maxPrefixTokens: number;
  readonly maxSummaryTokens: number;
  readonly prefixWith: (summary: string) => string;
};

export type PlanSource = { readonly view: SessionView; readonly window: number; readonly trigger: CompactionTrigger };

/** Null when there is nothing to replace, or too little to gain. */
export function planCompaction({ view, window, trigger }: PlanSource): Plan | null {
  const { turns, compaction } = view;
  if (view.round !== null) return null;
  const start = compaction?.keptFrom ?? 0;
  const tokensBefore = tokensOfText(compaction?.prefix ?? '') + tokensOfTurns(turns.slice(start));
  const measure = Math.min(window, tokensBefore);
  const from = cutAt(turns, start, measure);
  if (from <= start) return null;
  const replaced = turns.slice(start, from);
  const ledger = ledgerOf(turns, from);
  const before = compaction?.summary ?? null;
  const span: Span = { id: `c${(compaction?.spans.length ?? 0) + 1}`, from: start, to: from };
  const spans = [...(compaction?.spans ?? []), span];
  const summaryTokens = Math.max(MIN_SUMMARY_TOKENS, Math.min(MAX_SUMMARY_TOKENS, Math.floor(window * SUMMARY)));
  const ledgerChars = charsFor(window * LEDGER);
  const prefixWith = (summary: string): string => prefixOf({ ledger, summary, spans, ledgerChars });
  const freed = tokensOfText(compaction?.prefix ?? '') + tokensOfTurns(replaced);
  const maxPrefixTokens = freed - Math.max(1, Math.ceil(window * MIN_GAIN[trigger]));
  const room = maxPrefixTokens - tokensOfText(prefixWith(''));
  const digest = digestOf(
    { turns: replaced, first: start + 1, before, ledger },
    charsFor(Math.min(summaryTokens, room)),
  );
  if (tokensOfText(prefixWith(digest)) > maxPrefixTokens) return null;
  return {
    replaced,
    first: start + 1,
    keptTurns: turns.length - from,
    ledger,
    before,
    digest,
    id: span.id,
    tokensBefore,
    maxPrefixTokens,
    maxSummaryTokens: summaryTokens,
    prefixWith,
  };
}

/**
 * Where the turns begin that stay as they are: as many of the last as fit, never a result without its call. A message that waits for an
 * answer always stays. So does the last round, whose results the model has not seen yet, unless it alone makes up half of everything.
 */
function cutAt(turns: ReadonlyArray<Turn>, start: number, measure: number): number {
  let from = turns.length;
  while (from > start && isSaid(turns[from - 1])) from--;
  const end = from;
  let size = 0;
  for (let index = end - 1; index >= start; index--) {
    const turn = turns[index];
    size += turn === undefined ? 0 : tokensOfTurn(turn);
    const isLastRound = index >= end - 2 && turns[end - 1]?.kind === 'tool_results';
    if (size > measure * (isLastRound ? LAST_ROUND : KEPT)) break;
    if (turn?.kind !== 'tool_results') from = index;
  }
  return from;
}

function isSaid(turn: Turn | undefined): boolean {
  return turn?.kind === 'user' || turn?.kind === 'steering';
}
