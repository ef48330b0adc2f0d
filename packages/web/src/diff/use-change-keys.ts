import type { RefObject } from 'react';
import { type Act, useActs } from '../keys/acts.ts';

const FILES = '[data-file]';
const CHANGES = '[data-change]';
/** Where a file stands after it was gone to, below what stays at the top of the window. */
const TOP_PX = 260;

/** From change to change and from file to file, by keys and by the palette. */
export function useChangeKeys(area: RefObject<HTMLElement | null>): void {
  const go = (selector: string, step: 1 | -1) => () => {
    const part = partBeside(area.current, selector, step);
    part?.scrollIntoView({ block: selector === FILES ? 'start' : 'center' });
    part?.focus({ preventScroll: true });
  };
  const view = () => {
    const file = area.current?.contains(document.activeElement) ? document.activeElement?.closest(FILES) : null;
    const shown = file ?? partBeside(area.current, FILES, 1);
    shown?.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
    if (file !== null) go(FILES, 1)();
  };
  useActs([
    act('n', 'Next change', go(CHANGES, 1)),
    act('p', 'Previous change', go(CHANGES, -1)),
    act('f', 'Next file', go(FILES, 1)),
    act('b', 'Previous file', go(FILES, -1)),
    act('v', 'Mark the file viewed, or not, and go to the next', view),
  ]);
}

function act(keys: string, label: string, run: () => void): Act {
  return { id: `change ${keys}`, label, group: 'Change', keys, run };
}

/** From where the focus is or, without one in the change, from what is seen of it. */
function partBeside(area: HTMLElement | null, selector: string, step: 1 | -1): HTMLElement | null {
  const parts = [...(area?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const from = document.activeElement;
  const isInside = from !== null && area?.contains(from) === true;
  const isBeyond = (part: HTMLElement) => {
    if (!isInside) return (part.getBoundingClientRect().top - TOP_PX) * step > 1;
    const side = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const place = from.compareDocumentPosition(part);
    return (place & side) !== 0 && (place & Node.DOCUMENT_POSITION_CONTAINS) === 0;
  };
  return (step === 1 ? parts.find(isBeyond) : parts.findLast(isBeyond)) ?? null;
}
