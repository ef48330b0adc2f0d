import type { MarkedPart } from './word-marks.ts';

export type TokenKind = 'keyword' | 'string' | 'comment' | 'name' | null;

/** A piece of a line and what it is in its language. */
export type CodeToken = { readonly text: string; readonly kind: TokenKind };

export type CodePiece = MarkedPart & { readonly kind: TokenKind };

/** A line cut where its marks or its tokens change; without tokens, where its marks do. */
export function codePieces(parts: ReadonlyArray<MarkedPart>, tokens: ReadonlyArray<CodeToken> | undefined) {
  if (tokens === undefined) return parts.map((part): CodePiece => ({ ...part, kind: null }));
  const pieces: CodePiece[] = [];
  const rest = [...tokens];
  for (const { text, isMarked } of parts)
    for (let from = 0; from < text.length;) {
      const token = rest.shift();
      const take = Math.min(token?.text.length ?? Number.POSITIVE_INFINITY, text.length - from);
      if (token !== undefined && token.text.length > take) rest.unshift({ ...token, text: token.text.slice(take) });
      if (take > 0) pieces.push({ text: text.slice(from, from + take), isMarked, kind: token?.kind ?? null });
      from += take;
    }
  return pieces;
}
