/** A text as lines that remember their endings, so that joining them restores the same bytes. */
export type FileLine = { readonly text: string; readonly end: LineEnd };

export type LineEnd = '\n' | '\r\n' | '\r' | '';

export type FileText = {
  readonly mark: '' | '\ufeff';
  readonly lines: ReadonlyArray<FileLine>;
  /** How a new line ends if its neighbours do not decide. */
  readonly newLine: Exclude<LineEnd, ''>;
  readonly endsWithNewLine: boolean;
};

const LINE = /[^\n]*\n|[^\n]+$/g;
const OLD_MAC_LINE = /[^\r]*\r|[^\r]+$/g;

/** A lone carriage return ends a line only in a file without other line endings. */
export function splitFile(content: string): FileText {
  const mark = content.startsWith('\ufeff') ? '\ufeff' : '';
  const isOldMac = !content.includes('\n') && content.includes('\r');
  const pieces = content.slice(mark.length).match(isOldMac ? OLD_MAC_LINE : LINE) ?? [];
  const lines = pieces.map((piece): FileLine => {
    const end = isOldMac && piece.endsWith('\r') ? '\r' : endOf(piece);
    return { text: piece.slice(0, piece.length - end.length), end };
  });
  const crlf = lines.filter(({ end }) => end === '\r\n').length;
  const newLine = isOldMac ? '\r' : crlf * 2 > lines.length ? '\r\n' : '\n';
  return { mark, lines, newLine, endsWithNewLine: lines.at(-1)?.end !== '' };
}

function endOf(piece: string): LineEnd {
  if (piece.endsWith('\r\n')) return '\r\n';
  return piece.endsWith('\n') ? '\n' : '';
}

/** Every line but the last gets an ending; the last has one exactly if the file had one before, unless the change says otherwise. */
export function joinFile(file: FileText, lines: ReadonlyArray<FileLine>, finalNewLine = file.endsWithNewLine): string {
  const last = lines.length - 1;
  const text = lines.map((line, index) => {
    const end = index === last && !finalNewLine ? '' : line.end || file.newLine;
    return line.text + end;
  });
  return file.mark + text.join('');
}
