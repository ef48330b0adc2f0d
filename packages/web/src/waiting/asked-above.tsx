import type { Prompt } from '@attractor/api';
import { showControls } from '@attractor/api/shown';
import { Hand } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';

type AskedAboveProps = { readonly prompt: Prompt; readonly title: string };

/** Stands right after what is asked: whoever has read on below still sees it, and is led back. */
export function AskedAbove({ prompt, title }: AskedAboveProps) {
  const mark = useRef<HTMLDivElement>(null);
  const top = useTop(mark);
  const asked = prompt.type === 'question' ? prompt.payload.questions?.map(({ question }) => question) : undefined;
  const back = () => {
    const panel = panelOf(mark);
    panel?.scrollIntoView({ block: 'end' });
    panel?.focus({ preventScroll: true });
  };
  return (
    <div ref={mark} className="sticky z-[5] h-0" style={{ top: top ?? 0 }}>
      {top === null ? null : (
        <button
          type="button"
          onClick={back}
          className="flex min-h-control w-full items-center gap-2 rounded-b-lg border border-t-0 border-wait bg-wait-well px-4 text-left text-sm text-wait shadow-menu"
        >
          <Hand size={15} aria-hidden className="shrink-0" />
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {showControls(asked?.join(' ') ?? title)}
          </span>
          <span className="shrink-0 underline underline-offset-2">Answer</span>
        </button>
      )}
    </div>
  );
}

function panelOf(mark: RefObject<HTMLElement | null>): HTMLElement | null {
  const before = mark.current?.previousElementSibling;
  return before instanceof HTMLElement ? before : null;
}

/** Where what stays on top of the page ends, once the whole panel is above it. */
function useTop(mark: RefObject<HTMLElement | null>): number | null {
  const [top, setTop] = useState<number | null>(null);
  useEffect(() => {
    const look = () => {
      const heads = [...document.querySelectorAll('header')].filter(
        (head) => getComputedStyle(head).position === 'sticky',
      );
      const under = Math.max(0, ...heads.map((head) => head.getBoundingClientRect().bottom));
      const panel = panelOf(mark);
      setTop(panel !== null && panel.getBoundingClientRect().bottom <= under ? under : null);
    };
    look();
    const events = ['scroll', 'resize'] as const;
    for (const event of events) window.addEventListener(event, look, { passive: true });
    return () => {
      for (const event of events) window.removeEventListener(event, look);
    };
  }, [mark]);
  return top;
}
