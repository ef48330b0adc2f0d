/**
 * A part of a prompt. `items` are joined by blank lines. `order`: which parts are shortened first if the total is too long (1 before 2 …;
 * absent: never). `least`: characters that it keeps in any case. `drops`: `oldest` leaves out whole items from the front,
 * `largest` cuts the longest items, so that each keeps its beginning.
 */
export type ContextSection = {
  readonly heading: string;
  readonly items: ReadonlyArray<ContextItem>;
  readonly shorten?: { readonly order: number; readonly least: number; readonly drops: 'oldest' | 'largest' };
};

/** `render` adds the frame, so that truncation never removes a fence. */
export type ContextItem = { readonly text: string; readonly render?: (text: string) => string };

export type FittedContext = { readonly prompt: string; readonly leftOut: ReadonlyArray<string> };

/** Joins the sections in order, without empty ones, and shortens them until they fit. Each omission is marked where it occurs. */
export function fitToBudget(sections: ReadonlyArray<ContextSection>, budget: number): FittedContext {
  let fitted = sections.filter(({ items }) => items.length > 0);
  const leftOut: string[] = [];
  const orders = [...new Set(fitted.flatMap(({ shorten }) => shorten?.order ?? []))].toSorted((a, b) => a - b);
  for (const order of orders) {
    const overflow = lengthOf(fitted) - budget;
    if (overflow <= 0) break;
    fitted = fitted.map((section) => {
      if (section.shorten?.order !== order) return section;
      const target = Math.max(section.shorten.least, sectionLength(section) - overflow);
      if (target >= sectionLength(section)) return section;
      leftOut.push(section.heading);
      return section.shorten.drops === 'oldest' ? dropOldest(section, target) : cutLargest(section, target);
    });
  }
  return { prompt: fitted.map(renderSection).join('\n\n'), leftOut };
}

function lengthOf(sections: ReadonlyArray<ContextSection>): number {
  return sections.map(renderSection).join('\n\n').length;
}

function sectionLength(section: ContextSection): number {
  return section.items.reduce((sum, item) => sum + renderItem(item).length + 2, 0);
}

function renderSection({ heading, items }: ContextSection): string {
  return `# ${heading}\n\n${items.map(renderItem).join('\n\n')}`;
}

function renderItem({ text, render }: ContextItem): string {
  return render === undefined ? text : render(text);
}

function dropOldest(section: ContextSection, target: number): ContextSection {
  const kept = [...section.items];
  let dropped = 0;
  while (kept.length > 1 && sectionLength({ ...section, items: kept }) > target) {
    kept.shift();
    dropped += 1;
  }
  const note =
    dropped === 0
      ? []
      : [{ text: `(${dropped} earlier ${dropped === 1 ? 'entry is' : 'entries are'} left out for lack of room)` }];
  return cutLargest({ ...section, items: [...note, ...kept] }, target);
}

/** Short items stay whole; the others share the rest equally. */
function cutLargest(section: ContextSection, target: number): ContextSection {
  const share = fairShare(
    section.items.map((item) => renderItem(item).length + 2),
    target,
  );
  return { ...section, items: section.items.map((item) => cutItem(item, share)) };
}

function fairShare(lengths: ReadonlyArray<number>, target: number): number {
  const ascending = lengths.toSorted((a, b) => a - b);
  let left = target;
  for (const [index, length] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (length > share) return Math.floor(share);
    left -= length;
  }
  return Infinity;
}

const NOTE_ROOM = 60;

function cutItem(item: ContextItem, share: number): ContextItem {
  const frame = renderItem(item).length - item.text.length + 2;
  if (item.text.length + frame <= share) return item;
  const kept = Math.max(0, Math.floor(share) - frame - NOTE_ROOM);
  const note = `\n… ${item.text.length - kept} characters left out for lack of room …`;
  return { ...item, text: `${item.text.slice(0, kept)}${note}` };
}
