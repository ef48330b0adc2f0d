import type { PromptAnswer } from '@attractor/store';

type Words = Pick<PromptAnswer, 'decision' | 'message'>;

/**
 * What a person decides in words: "approve, but skip the tests for now", "n", "changes: keep the old name". Words after an approval are an
 * instruction. Null if it could mean something else: nothing is approved or refused by chance.
 */
export function readWords(said: string): Words | null {
  const text = said.trim();
  if (text.endsWith('?')) return null;
  for (const { decision, begins } of DECISIONS) {
    const [, more] = begins.exec(text) ?? [];
    if (more !== undefined) return isUnclear(decision, more) ? null : wordsOf(decision, { text, more });
  }
  return null;
}

function isUnclear(decision: Decision, more: string): boolean {
  if (decision === 'approve') return /^(?:not?|nothing|none|never)\b/i.test(more);
  return decision === 'changes' && more === '';
}

/** It begins with the decision, which then ends or is set off from what follows. */
const DECISIONS = [
  {
    decision: 'approve',
    begins:
      /^(?:y|yes|ok|okay|lgtm|approved?(?: (?:it|this|the plan|this plan))?)(?:$|\s*[,.;:!–—-]+\s*|\s+(?=(?:but|and|with|without|except)\b))([\s\S]*)$/i,
  },
  { decision: 'reject', begins: /^(?:n|no|reject(?:ed)?|cancel)(?:$|\s*[,.;:!–—-]+\s*|\s+(?=because\b))([\s\S]*)$/i },
  { decision: 'changes', begins: /^(?:changes?|edit)\s*[,.;:!–—-]+\s*([\s\S]*)$/i },
] as const;

type Decision = (typeof DECISIONS)[number]['decision'];
type Said = { readonly text: string; readonly more: string };

/** An instruction keeps all of its words: "without the tests" says nothing by itself. */
function wordsOf(decision: Decision, { text, more }: Said): Words {
  if (more === '') return { decision };
  return { decision, message: decision === 'approve' ? text : more };
}
