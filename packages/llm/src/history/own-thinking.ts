import type { ContentPart } from '../types/content.ts';
import type { HistoryRules } from './rules.ts';
import type { Slot } from './slots.ts';

/** Keeps thinking and signatures verbatim for the provider and model that wrote them; for any other they are noise at best. */
export function ownThinking(slots: ReadonlyArray<Slot>, rules: HistoryRules): ReadonlyArray<Slot> {
  const seen = new Set<string>();
  return slots.flatMap((slot): ReadonlyArray<Slot> => {
    if (slot.kind !== 'assistant') return [slot];
    const kept = slot.parts.flatMap((part) => keepOwn(part, rules)).filter((part) => !seen.has(proofOf(part)));
    for (const part of kept) if (proofOf(part) !== '') seen.add(proofOf(part));
    const parts = rules.thinkingMayEnd ? kept : withoutTrailingThinking(kept);
    return parts.length === 0 ? [] : [{ kind: 'assistant', parts }];
  });
}

function keepOwn(part: ContentPart, rules: HistoryRules): ReadonlyArray<ContentPart> {
  if (part.kind === 'TOOL_CALL') {
    if (part.signature === undefined || isOwn(part.origin, rules)) return [part];
    const { signature: _signature, origin: _origin, ...unsigned } = part;
    return [unsigned];
  }
  if (part.kind !== 'THINKING' && part.kind !== 'REDACTED_THINKING') return [part];
  const proven = part.kind === 'REDACTED_THINKING' ? part.data !== '' : (part.signature ?? '') !== '';
  return rules.thinking === 'signed' && proven && isOwn(part.origin, rules) ? [part] : [];
}

/** The same thinking in two messages is a copy, which some providers refuse; within one it may come in pieces. */
export function proofOf(part: ContentPart): string {
  if (part.kind === 'REDACTED_THINKING') return part.data;
  return part.kind === 'THINKING' ? (part.signature ?? '') : '';
}

function isOwn(origin: string | undefined, rules: HistoryRules): boolean {
  return origin !== undefined && origin === rules.origin;
}

function withoutTrailingThinking(parts: ReadonlyArray<ContentPart>): ReadonlyArray<ContentPart> {
  const end = parts.findLastIndex((part) => part.kind !== 'THINKING' && part.kind !== 'REDACTED_THINKING');
  return parts.slice(0, end + 1);
}
