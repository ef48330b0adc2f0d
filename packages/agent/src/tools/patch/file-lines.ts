/** A text as lines that remember how they ended, so that joining them gives the same bytes back. */
export type FileLine = { readonly text: string; readonly end: '\n' | '\r\n' | '' };

export type FileText = {
  readonly mark: '' | '\ufeff';
  readonly lines: ReadonlyArray<FileLine>;
  /** How a new line ends here. */
  readonly newLine: '\n' | '\r\n';
  readonly endsWithNewLine: boolean;
};

export function splitFile(content: string): FileText {
  const mark = content.startsWith('\ufeff') ? '\ufeff' : '';
  const lines: FileLine[] = [];
  let crlf = 0;
  for (const piece of content.slice(mark.length).match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const end = piece.endsWith('\r\n') ? '\r\n' : piece.endsWith('\n') ? '\n' : '';
    if (end === '\r\n') crlf++;
    lines.push({ text: piece.slice(0, piece.length - end.length), end });
  }
  return { mark, lines, newLine: crlf * 2 > lines.length ? '\r\n' : '\n', endsWithNewLine: lines.at(-1)?.end !== '' };
}

/** Every line but the last gets an end; the last has one exactly when the file had one before. */
export function joinFile(file: FileText, lines: ReadonlyArray<FileLine>): string {
  const last = lines.length - 1;
  const text = lines.map((line, index) => {
    const end = index === last && !file.endsWithNewLine ? '' : line.end || file.newLine;
    return line.text + end;
  });
  return file.mark + text.join('');
}
