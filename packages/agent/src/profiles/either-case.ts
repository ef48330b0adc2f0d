/** Folders that a search skips unless their names are spelled out. */
const SPELLED_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Pieces of a glob pattern: an escaped character, a character class, or any other single character. */
const PIECE = /\\[^]|\[[^\]]+\]|[^]/gu;

/** A glob pattern that ignores case: `*.Ts` becomes `*.[tT][sS]`. */
export function eitherCase(pattern: string): string {
  return pattern
    .split('/')
    .map((name) => (SPELLED_OUT.has(name) ? name : name.replaceAll(PIECE, bothCases)))
    .join('/');
}

function bothCases(piece: string): string {
  if (piece.startsWith('\\')) return piece;
  if (piece.startsWith('[') && piece.length > 1) return classOfBoth(piece);
  const [lower, upper] = [piece.toLowerCase(), piece.toUpperCase()];
  return lower === upper || lower.length !== piece.length || upper.length !== piece.length
    ? piece
    : `[${lower}${upper}]`;
}

/** `[a-c]` becomes `[a-cA-C]`; `[!x]` becomes `[!xX]`. */
function classOfBoth(piece: string): string {
  const [, not = '', inside = ''] = /^\[([!^]?)([^]*)\]$/u.exec(piece) ?? [];
  const [lower, upper] = [inside.toLowerCase(), inside.toUpperCase()];
  return lower === upper ? piece : `[${not}${lower}${upper}]`;
}
