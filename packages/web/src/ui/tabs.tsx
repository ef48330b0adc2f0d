import type { KeyboardEvent, ReactNode } from 'react';
import { useInView } from './use-in-view.ts';

export type Tab<Name extends string> = { readonly name: Name; readonly label: string; readonly count?: number };

type TabsProps<Name extends string> = {
  readonly label: string;
  readonly tabs: ReadonlyArray<Tab<Name>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ReactNode;
};

/** One of several bodies; arrows move between their names. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const row = useInView<HTMLDivElement>(chosen);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line"
        onKeyDown={move}
        tabIndex={-1}
      >
        {tabs.map(({ name, label: text, count = 0 }) => (
          <button
            key={name}
            data-part={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls="section"
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
            className={`-mb-px min-h-10 pointer-coarse:min-h-control border-b-2 px-2.5 text-sm whitespace-nowrap -outline-offset-2 active:bg-well ${name === chosen ? 'border-ink font-medium' : 'border-transparent text-soft hover:text-ink'}`}
          >
            {text}
            {count === 0 ? null : <span className="ml-1.5 text-faint tabular-nums">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="section" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
}
