import type { TokenKind } from '@attractor/api/shown';

/** How each kind of token is coloured. */
export const CODE_COLOURS: Readonly<Record<NonNullable<TokenKind>, string>> = {
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  comment: 'text-code-comment',
  name: 'text-code-name',
};
