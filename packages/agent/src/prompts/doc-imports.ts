/*
 * text    = { anything | import }
 * import  = (start of line | blank) "@" path      not inside code
 * comment = "<!--" anything "-->"                  not inside code
 */
export type DocImport = { readonly path: string; readonly line: number };

/** The files that a document names to be read with it, in order. Ends of sentences are no part of a path. */
export function importsOf(text: string): ReadonlyArray<DocImport> {
  const plain = withoutCode(text);
  return [...plain.matchAll(/(?<=^|\s)@((?:[^\s\\]|\\ )+)/gm)].flatMap(({ index, 1: written = '' }) => {
    const path = written.replaceAll('\\ ', ' ').replace(/[.,;:!?)\]}'"]+$/, '');
    return path === '' ? [] : [{ path, line: plain.slice(0, index).split('\n').length }];
  });
}

/** Comments are for people; inside code they are part of it. */
export function withoutComments(text: string): string {
  const isCode = withoutCode(text);
  let said = '';
  let at = 0;
  for (const { index, 0: comment } of isCode.matchAll(/<!--[^]*?-->\n?/g)) {
    said += text.slice(at, index);
    at = index + comment.length;
  }
  return said + text.slice(at);
}

const CODE = /^( {0,3})(```+|~~~+)[^\n]*\n[^]*?(?:^ {0,3}\2[^\n]*$|$(?![^]))|(`+)[^`]+?\3(?!`)/gm;

/** Of the same length, with blanks where there is code. */
function withoutCode(text: string): string {
  return text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' '));
}
