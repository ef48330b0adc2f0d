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
  const plain = withoutCode(text);
  let said = '';
  let at = 0;
  for (let from = plain.indexOf('<!--'); from !== -1; from = plain.indexOf('<!--', at)) {
    const end = plain.indexOf('-->', from + 4);
    if (end === -1) break;
    said += text.slice(at, from);
    at = end + 3 + (plain[end + 3] === '\n' ? 1 : 0);
  }
  return said + text.slice(at);
}

const CODE =
  /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[^]*?(?:^ {0,3}\1[^\n]*$|$(?![^]))|(?<!`)(`{1,8})(?!`)[^`]+\2(?!`)/gm;

/** Of the same length, with blanks where there is code. */
function withoutCode(text: string): string {
  return text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' '));
}
