import { messageOf } from '@attractor/base';

/** The contents between the markers at the end of an agent's text. */
export type MarkedOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly outcome: string; readonly problem: string }
  | { readonly kind: 'found'; readonly outcome: string; readonly payload: unknown };

/**
 * Grammar: `<<<OUTCOME:` name `>>>` [ JSON ] `<<<END_PAYLOAD>>>`, name of word characters; the JSON may be in a Markdown fence. The last
 * one counts, because a text may quote its instructions before. Without the closing marker there is no payload.
 */
export function readMarkers(text: string): MarkedOutcome {
  const marker = [...text.matchAll(/<<<OUTCOME:(\w+)>>>/g)].at(-1);
  const outcome = marker?.[1];
  if (marker === undefined || outcome === undefined) return { kind: 'none' };
  const rest = text.slice(marker.index + marker[0].length);
  const end = rest.indexOf('<<<END_PAYLOAD>>>');
  const body = end < 0 ? '' : unfenced(rest.slice(0, end).trim());
  if (body === '') return { kind: 'found', outcome, payload: undefined };
  try {
    const payload: unknown = JSON.parse(body);
    return { kind: 'found', outcome, payload };
  } catch (error) {
    return {
      kind: 'broken',
      outcome,
      problem: `The payload of "${outcome}" is not valid JSON (${messageOf(error)}).`,
    };
  }
}

function unfenced(body: string): string {
  return /^```\w*\n([\s\S]*)\n```$/.exec(body)?.[1]?.trim() ?? body;
}

/** A plan or document is passed on without the lines that were meant for us. */
export function withoutMarkers(text: string): string {
  return text.replaceAll(/<<<OUTCOME:\w+>>>[\s\S]*?(?:<<<END_PAYLOAD>>>|$)/g, '').trim();
}
