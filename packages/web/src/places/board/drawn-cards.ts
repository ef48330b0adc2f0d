import type { Drawn } from '@attractor/api/shown';

/** The cards of a column that are drawn now. */
export function drawnIn(columnId: string): ReadonlyArray<Drawn> {
  const cards = document.querySelectorAll<HTMLElement>(`[data-column="${CSS.escape(columnId)}"] li[data-index]`);
  return [...cards].map((card) => {
    const { top, height } = card.getBoundingClientRect();
    return [Number(card.dataset['index']), top + height / 2];
  });
}
