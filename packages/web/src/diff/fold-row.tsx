import { type Fold, showControls } from '@attractor/api/shown';
import { ChevronDown, ChevronUp, UnfoldVertical } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { keyed } from '../ui/keyed.ts';

/** Shows lines from a number on. */
export type OnUnfold = (from: number, count: number) => Promise<void>;

type FoldRowProps = { readonly fold: Fold; readonly columns: number; readonly onUnfold?: OnUnfold };

/** Lines that nothing changed, and the ways to see them. */
export function FoldRow({ fold, columns, onUnfold }: FoldRowProps) {
  const { from, to, section } = fold;
  return (
    <tr className="bg-well text-faint">
      <td colSpan={columns} className="max-w-0 p-0">
        <div className="flex min-h-7 items-center gap-2 pr-3">
          {onUnfold === undefined ? null : (
            <span className="flex w-16 shrink-0 justify-end gap-1 pr-1 md:w-24 pointer-coarse:w-24">
              {keyed(waysInto(fold)).map(({ key, item }) => (
                <UnfoldButton key={key} {...item} onUnfold={onUnfold} />
              ))}
            </span>
          )}
          <span className={`min-w-0 truncate ${onUnfold === undefined ? 'pl-3' : ''}`}>
            {to === null ? `from line ${from} on` : from === to ? `line ${from}` : `lines ${from}–${to}`}
            {section === '' ? '' : ` · ${showControls(section)}`}
          </span>
        </div>
      </td>
    </tr>
  );
}

/** So many at once, where there are more than twice as many. */
const STEP = 20;
const ICONS = { all: UnfoldVertical, down: ChevronDown, up: ChevronUp } as const;

type Way = { readonly name: keyof typeof ICONS; readonly from: number; readonly count: number };

/** Down from what stands above, up from what stands below; a short fold as a whole. */
function waysInto({ from, to }: Fold): ReadonlyArray<Way> {
  if (to !== null && to - from < 2 * STEP) return [{ name: 'all', from, count: to - from + 1 }];
  const down: Way = { name: 'down', from, count: STEP };
  if (to === null) return [down];
  const up: Way = { name: 'up', from: to - STEP + 1, count: STEP };
  return from === 1 ? [up] : [down, up];
}

function UnfoldButton({ name, from, count, onUnfold }: Way & { readonly onUnfold: OnUnfold }) {
  const Icon = ICONS[name];
  const label = count === 1 ? `Show line ${from}` : `Show lines ${from} to ${from + count - 1}`;
  const pressed = useRef<HTMLElement | null>(null);
  // Where nothing is left to unfold, whoever came by the keyboard stays in the file.
  useEffect(() => {
    const file = pressed;
    return () => file.current?.focus({ preventScroll: true });
  }, []);
  const onClick = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    pressed.current = currentTarget.closest<HTMLElement>('[role="group"]');
    void onUnfold(from, count);
  };
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={onClick}
      className="flex size-6 items-center justify-center rounded text-soft hover:bg-line hover:text-ink pointer-coarse:size-11"
    >
      <Icon size={14} aria-hidden />
    </button>
  );
}
