/**
 * Whether a glob fits a name, as bash and as find take it; where they read more into it than stars, question marks and plain sets, it is
 * taken to fit. Every state that it can be in after each character: no backtracking.
 */
export function matchesGlob(glob: string, name: string): boolean {
  const plain = glob.search(UNSURE);
  const pieces = (plain < 0 ? glob : `${glob.slice(0, plain)}*`).match(/\*|\?|\[[^\]]*\]|[^]/g) ?? [];
  let states = skipStars(new Set([0]), pieces);
  for (const character of name) {
    const next = new Set<number>();
    for (const state of states) {
      const piece = pieces[state];
      if (piece === '*') next.add(state);
      else if (piece !== undefined && fits(piece, character)) next.add(state + 1);
    }
    states = skipStars(next, pieces);
  }
  return states.has(pieces.length);
}

/** An escape, or a bracket that opens no set of plain characters: `[]a]`, `[[:alpha:]]`. */
const UNSURE = /\\|\[(?![!^]?[\w.,+@%=~ -]+\])/;

function skipStars(states: Set<number>, pieces: ReadonlyArray<string>): Set<number> {
  for (const state of states) if (pieces[state] === '*') states.add(state + 1);
  return states;
}

/** A set in brackets is taken to hold the character: ranges and classes differ by locale. */
function fits(piece: string, character: string): boolean {
  return piece === '?' || piece.startsWith('[') || piece === character;
}
