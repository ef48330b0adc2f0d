const EDGE = 8;
const WIDEST = 360;
/** As the list itself says. */
const NARROWEST = 208;

type Side = { readonly edge: 'left' | 'right'; readonly offset: number; readonly maxWidth: number };

/** From which edge of its button a list grows: it keeps its distance from both edges of the window, however wide it becomes. */
export function sideOf(
  button: { readonly left: number; readonly right: number },
  width: number,
  windowWidth: number,
): Side {
  const toTheRight = windowWidth - EDGE - button.left;
  const toTheLeft = button.right - EDGE;
  const edge = width > toTheRight && toTheLeft > toTheRight ? 'right' : 'left';
  const distance = edge === 'left' ? button.left : windowWidth - button.right;
  const offset = Math.max(EDGE, Math.min(distance, windowWidth - EDGE - NARROWEST));
  return { edge, offset, maxWidth: Math.min(WIDEST, windowWidth - EDGE - offset) };
}
