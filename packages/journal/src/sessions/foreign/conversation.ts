import { isRecord } from '@attractor/base';
import type { ContentPart, ImagePart, Usage } from '@attractor/llm';

/** Whose session files are read. */
export const FOREIGN_AGENTS = ['claude', 'codex', 'gemini', 'pi', 'opencode', 'goose', 'cline'] as const;

export type ForeignAgent = (typeof FOREIGN_AGENTS)[number];

/**
 * A conversation as another agent kept it, in the order in which its model would see it again: what was taken back, summarised or said by a
 * subagent is not in it. Nothing is checked yet: calls may lack results, and ids may be duplicated.
 */
export type ForeignConversation = {
  readonly cwd: string;
  readonly provider: string;
  readonly model: string | null;
  readonly steps: ReadonlyArray<ForeignStep>;
  /** What was found and left out, for the person. */
  readonly left: ReadonlyArray<string>;
};

/** `uuid`: the name that its own program gave it. */
export type ForeignStep = { readonly uuid?: string } & Said;

type Said =
  | { readonly kind: 'user'; readonly at: string; readonly text: string; readonly images: ReadonlyArray<ImagePart> }
  | {
      readonly kind: 'assistant';
      readonly at: string;
      readonly parts: ReadonlyArray<ContentPart>;
      readonly usage: Usage;
      readonly model: string;
      /** Equal for steps of the same answer; empty: unknown. */
      readonly responseId: string;
    }
  | {
      readonly kind: 'result';
      readonly at: string;
      readonly toolCallId: string;
      readonly output: string;
      readonly isError: boolean;
      readonly images: ReadonlyArray<ImagePart>;
    };

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsAt(value: Fields, name: string): Fields {
  const inner = value[name];
  return isRecord(inner) ? inner : {};
}

export function textAt(value: Fields, name: string): string {
  const inner = value[name];
  return typeof inner === 'string' ? inner : '';
}

export function listAt(value: Fields, name: string): ReadonlyArray<Fields> {
  const inner = value[name];
  return Array.isArray(inner) ? inner.filter(isRecord) : [];
}

export function countAt(value: Fields, name: string): number {
  const inner = value[name];
  return typeof inner === 'number' && Number.isFinite(inner) ? inner : 0;
}

export type TreeKeys = { readonly id: string; readonly parent: string };

/**
 * The way from an entry up to the first, as lines name their parents. Where a parent is missing, as it is if its line can't be read, the entry
 * before it in the file stands in for it: otherwise one broken line would cost everything before it.
 */
export function wayUp(
  entries: ReadonlyArray<Fields>,
  from: Fields | undefined,
  { id, parent }: TreeKeys,
): { readonly way: ReadonlySet<Fields>; readonly gaps: number } {
  const places = new Map(entries.map((entry, index) => [textAt(entry, id), index]));
  const way = new Set<Fields>();
  let gaps = 0;
  let at = from;
  while (at !== undefined && !way.has(at)) {
    way.add(at);
    const wanted = textAt(at, parent);
    const isLost = wanted !== '' && !places.has(wanted);
    if (isLost) gaps += 1;
    at = isLost ? entries[entries.indexOf(at) - 1] : entries[places.get(wanted) ?? -1];
  }
  return { way, gaps };
}

/** What a conversation with gaps has lost, for the person. */
export function gapNotes(gaps: number): ReadonlyArray<string> {
  return gaps === 0 ? [] : [`what stood in ${gaps} ${gaps === 1 ? 'gap' : 'gaps'} of the file`];
}
