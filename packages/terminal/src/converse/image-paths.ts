/** Files that look like images in what a person said: as a terminal pastes a dragged file (quoted, or with escaped blanks), or as `@path`. */
export function imagePathsIn(text: string): ReadonlyArray<string> {
  const found = [...text.matchAll(PATH)].map(([, single, double, bare = '']) => single ?? double ?? unescaped(bare));
  return [...new Set(found.map(plainPath))];
}

const PATH =
  /'([^'\n]+\.(?:png|jpe?g|gif|webp))'|"([^"\n]+\.(?:png|jpe?g|gif|webp))"|((?:\\.|[^\s'"\\])+\.(?:png|jpe?g|gif|webp))(?![\w.])/gi;

function unescaped(word: string): string {
  return word.replaceAll(/\\(.)/g, '$1');
}

function plainPath(word: string): string {
  const path = word.replace(/^@/, '');
  if (!path.startsWith('file://')) return path;
  try {
    return decodeURIComponent(path.slice('file://'.length));
  } catch {
    return path;
  }
}
