import { useId, useRef, useState, type ReactNode } from 'react';
import { buttonClass, type ButtonKind } from './button.tsx';
import { sideOf } from './menu-side.ts';

export type MenuItem = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly isChosen?: boolean;
  /** Why it can not be chosen now. */
  readonly blocked?: string;
  readonly onChoose: () => void;
};

type MenuProps = {
  /** Of the button, for whoever opens it from elsewhere. */
  readonly id?: string;
  readonly label: string;
  readonly items: ReadonlyArray<MenuItem>;
  /** The button shows no words: its name is only heard. */
  readonly isIcon?: boolean;
  readonly isSmall?: boolean;
  readonly kind?: ButtonKind;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A button that opens a list of things to do; arrows move in it, Escape closes it and gives the focus back. */
export function Menu({
  id,
  label,
  items,
  isIcon = false,
  isSmall = false,
  kind = 'plain',
  className = '',
  children,
}: MenuProps) {
  const listId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // A board has a menu on each card: what is in it is drawn while it is open.
  const [isOpen, setOpen] = useState(false);
  const choose = (item: MenuItem) => {
    list.current?.hidePopover();
    item.onChoose();
  };
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        aria-label={isIcon ? label : undefined}
        title={label}
        aria-haspopup="menu"
        popoverTarget={listId}
        className={`${buttonClass(kind, isSmall ? 'small' : isIcon ? 'icon' : 'words')} ${className}`}
      >
        {children}
      </button>
      <div
        ref={list}
        id={listId}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onToggle={(event) => {
          if (event.newState !== 'open' || list.current === null || button.current === null) return;
          putBeside(list.current, button.current);
          // Told a moment after it opened: whoever was faster has chosen an item already.
          if (!list.current.contains(document.activeElement)) itemsOf(list.current)[0]?.focus();
        }}
        onKeyDown={(event) => moveFocus(event, list.current)}
        className="m-0 max-h-[60vh] max-w-[min(360px,calc(100vw-16px))] min-w-52 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-menu"
      >
        {isOpen ? items.map((item) => <Entry key={item.id} item={item} onChoose={() => choose(item)} />) : null}
      </div>
    </>
  );
}

function Entry({ item, onChoose }: { readonly item: MenuItem; readonly onChoose: () => void }) {
  const isBlocked = item.blocked !== undefined;
  return (
    <button
      type="button"
      role={item.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.isChosen}
      aria-disabled={isBlocked}
      tabIndex={-1}
      onClick={isBlocked ? undefined : onChoose}
      className={`flex min-h-control w-full flex-col justify-center rounded-md px-2.5 py-1 text-left text-sm ${isBlocked ? 'text-faint' : 'hover:bg-well focus:bg-well active:bg-line'} ${item.isChosen === true ? 'font-semibold' : ''}`}
    >
      <span className="max-w-full wrap-anywhere">{item.label}</span>
      {item.blocked === undefined && item.hint === undefined ? null : (
        <span className="text-sm font-normal wrap-anywhere text-faint">{item.blocked ?? item.hint}</span>
      )}
    </button>
  );
}

function itemsOf(list: HTMLElement | null): ReadonlyArray<HTMLElement> {
  return [...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function moveFocus(event: React.KeyboardEvent, list: HTMLElement | null): void {
  const items = itemsOf(list);
  const move = MOVES[event.key];
  if (move === undefined || items.length === 0) return;
  event.preventDefault();
  items[move(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
}

/** Under the button, or over it where there is more room; never out of the window. */
function putBeside(list: HTMLElement, button: HTMLElement): void {
  list.style.maxHeight = '';
  list.style.maxWidth = '';
  const at = button.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  const room = window.innerHeight - at.bottom - 12;
  const below = height <= room || at.top < window.innerHeight / 2;
  // What is in it may become wider: it grows away from the edge that is near.
  const { edge, offset, maxWidth } = sideOf(at, width, window.innerWidth);
  list.style.left = edge === 'left' ? `${offset}px` : 'auto';
  list.style.right = edge === 'right' ? `${offset}px` : 'auto';
  list.style.maxWidth = `${maxWidth}px`;
  list.style.top = below ? `${at.bottom + 4}px` : 'auto';
  list.style.bottom = below ? 'auto' : `${window.innerHeight - at.top + 4}px`;
  // What is in it may grow while it is open: it never leaves the window.
  list.style.maxHeight = `min(60vh, ${below ? room : at.top - 12}px)`;
}
