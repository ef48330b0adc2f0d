import { eachAnchor, indexAnchors, type AnchorIndex } from './anchors.ts';
import { assignmentAnchors } from './assignments.ts';
import { HEADER_KINDS, headerAnchors } from './headers.ts';
import { PRIVATE_KEY_KIND, privateKeyAnchors } from './private-keys.ts';
import { SHAPED_KINDS, shapedAnchors } from './shaped-tokens.ts';
import { NAME_KINDS } from './sensitive-names.ts';
import { createSearchedText, type SearchedText, type Span } from './searched-text.ts';
import { TOKEN_KINDS, tokenAnchors } from './token-rules.ts';
import { URL_KIND, urlAnchors } from './url-passwords.ts';

export type FoundSecrets = {
  /** In no order; they may overlap. */
  readonly spans: ReadonlyArray<Span>;
  /** From here on more text could create or lengthen a secret. The length of the text if it could not. */
  readonly openFrom: number;
};

const NOTHING: ReadonlyArray<Span> = [];

/** Everything in the text that is a secret by the anchors of the index. Linear in the text's length. */
export function findSecrets(text: string, index: AnchorIndex): FoundSecrets {
  let searched: SearchedText | null = null;
  let spans: Span[] | null = null;
  let openFrom = text.length;
  let inside = 0;
  eachAnchor(text, index, (at, anchor) => {
    searched ??= createSearchedText(text);
    if (anchor.stands !== 'before' && anchor.whole !== true && at >= inside && at < searched.covered) return;
    searched.reachedEnd = false;
    searched.secretFrom = anchor.stands === 'before' ? text.length : at;
    const span = anchor.match(searched, at, anchor.literal);
    if (searched.reachedEnd) openFrom = Math.min(openFrom, span?.start ?? searched.secretFrom);
    if (span === null) return;
    (spans ??= []).push(span);
    if (anchor.whole === true || span.end <= searched.covered) return;
    inside = span.start;
    searched.covered = span.end;
  });
  return { spans: spans ?? NOTHING, openFrom };
}

/** Every type that a mask can name. */
export const KINDS: ReadonlySet<string> = new Set([
  ...TOKEN_KINDS,
  ...SHAPED_KINDS,
  ...HEADER_KINDS,
  ...NAME_KINDS,
  PRIVATE_KEY_KIND,
  URL_KIND,
  'known-secret',
  'unfinished',
]);

let shapes: AnchorIndex | undefined;

/** What is a secret by its shape or by what precedes it. Built on first use: programs that store nothing pay nothing. */
export function shapesOfSecrets(): AnchorIndex {
  shapes ??= indexAnchors([
    ...tokenAnchors(),
    ...shapedAnchors(),
    ...urlAnchors(),
    ...privateKeyAnchors(),
    ...headerAnchors(),
    ...assignmentAnchors(),
  ]);
  return shapes;
}
