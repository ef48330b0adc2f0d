import type { Token, Tokens } from 'marked';
import { EMPTY_LINE, type Line, type Span } from '../themes/line.ts';

type Marks = Pick<Span, 'role' | 'bold' | 'italic' | 'underline'>;

/** The pieces of a paragraph. Where a link leads is said beside it, so that it can be read, and copied, everywhere. */
export function inlineSpans(tokens: ReadonlyArray<Token>, marks: Marks = {}): ReadonlyArray<Span> {
  return tokens.flatMap((token): ReadonlyArray<Span> => {
    switch (token.type) {
      case 'strong':
        return inlineSpans((token as Tokens.Strong).tokens, { ...marks, bold: true });
      case 'em':
        return inlineSpans((token as Tokens.Em).tokens, { ...marks, italic: true });
      case 'del':
        return inlineSpans((token as Tokens.Del).tokens, { ...marks, role: 'dim' });
      case 'codespan':
        return [{ ...marks, text: (token as Tokens.Codespan).text, role: 'code' }];
      case 'link':
        return linkSpans(token as Tokens.Link, marks);
      case 'image':
        return [
          { ...marks, text: `[image: ${(token as Tokens.Image).text}] ${(token as Tokens.Image).href}`, role: 'dim' },
        ];
      case 'br':
        return [{ text: '\n' }];
      default:
        return textSpans(token, marks);
    }
  });
}

function textSpans(token: Token, marks: Marks): ReadonlyArray<Span> {
  const { tokens, text } = token as { readonly tokens?: ReadonlyArray<Token>; readonly text?: string };
  if (tokens !== undefined) return inlineSpans(tokens, marks);
  return [{ ...marks, text: token.type === 'html' ? token.raw : (text ?? token.raw) }];
}

function linkSpans({ tokens, href, text }: Tokens.Link, marks: Marks): ReadonlyArray<Span> {
  const words = inlineSpans(tokens, { ...marks, underline: true });
  const isSame = text === href || `mailto:${text}` === href || `http://${text}` === href;
  return isSame ? words : [...words, { text: ` (${href})`, role: 'dim' }];
}

/** One line for each line ending in the text. */
export function splitAtBreaks(spans: ReadonlyArray<Span>): ReadonlyArray<Line> {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    span.text.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ ...span, text: piece });
    });
  }
  return lines.map((line) => (line.length === 0 ? EMPTY_LINE : line));
}
