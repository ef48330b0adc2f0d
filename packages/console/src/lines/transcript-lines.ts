import type { Piece, TranscriptTurn } from '@attractor/api';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** Everything that was said and done, in full. */
export function transcriptLines(turns: ReadonlyArray<TranscriptTurn>, style: Style): ReadonlyArray<string> {
  if (turns.length === 0) return [style.dim('Nothing was said yet.')];
  return turns.flatMap(({ at, pieces }, index) => [
    style.dim(`${index + 1}  ${at.slice(0, 19).replace('T', ' ')}`),
    ...pieces.flatMap((piece) => pieceLines(piece, style)),
    '',
  ]);
}

function pieceLines(piece: Piece, style: Style): ReadonlyArray<string> {
  if (piece.kind === 'text') return indented(piece.text);
  if (piece.kind === 'thinking') return indented(piece.text).map(style.dim);
  if (piece.kind === 'notice') return indented(`! ${piece.text}`);
  const { toolName, input, result } = piece;
  const output = result === null ? ['    (no result yet)'] : indented(result.output, '    ');
  return [
    `  ${style.accent('●')} ${readableText(toolName)} ${readableText(JSON.stringify(input))}`,
    ...(result?.isError === true ? output.map(style.bad) : output.map(style.dim)),
  ];
}

function indented(text: string, indent = '  '): ReadonlyArray<string> {
  return readableText(text)
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`);
}
