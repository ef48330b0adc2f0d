/*
 * text    = { anything | import }
 * import  = (start of line | blank) "@" path      not inside code
 * comment = "<!--" anything "-->"                  not inside code
 */
export type DocImport = { readonly path: string; readonly line: number };

/** The files that a document imports, in order. Punctuation at the end of a sentence is not part of a path. */
export function importsOf(text: string): ReadonlyArray<DocImport> {
  const plain = withoutCode(text);
  return [...plain.matchAll(/(?<=^|\s)@((?:[^\s\\]|\\ )+)/gm)].flatMap(({ index, 1: written = '' }) => {
    const path = written.replaceAll('\\ ', ' ').replace(/[.,;:!?)\]}'"]+$/, '');
    return path === '' ? [] : [{ path, line: plain.slice(0, index).split('\n').length }];
  });
}

/** Removes comments, which are for people; inside code they are part of the code. */
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

/** The same length, with code replaced by blanks. */
function withoutCode(text: string): string {
  return text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' '));
}
