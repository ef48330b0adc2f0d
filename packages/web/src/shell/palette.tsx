import { keyOf } from '@attractor/api';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { useTaskList } from '../data/task-list.ts';
import { type Act, useKnownActs } from '../keys/acts.ts';
import { showKeys } from '../keys/show-keys.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import { Overlay } from '../ui/overlay.tsx';
import { showControls } from '@attractor/api/shown';

type Entry = {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly keys?: string;
  readonly run: () => void;
};

const SHOWN = 40;

/** Everything that can be done here, and every task, by a few letters. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = useEntries(text);
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(found[at]);
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const next = (at + step + found.length) % found.length;
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Overlay title="Search or do something" isBare onClose={onClose}>
      <input
        ref={useFirstFocus()}
        role="combobox"
        aria-label="Search or do something"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found[at] === undefined ? undefined : `palette-${at}`}
        value={text}
        placeholder="Search tasks, places and actions"
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="sticky top-0 h-12 w-full border-b border-line bg-raised px-4 text-base outline-none"
      />
      <div ref={list} id="palette-list" role="listbox" aria-label="Found" className="p-1.5">
        {found.map((entry, index) => (
          <button
            key={entry.id}
            type="button"
            tabIndex={-1}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => choose(entry)}
            onPointerMove={() => setAt(index)}
            className={`flex min-h-9 w-full items-center gap-3 text-left pointer-coarse:min-h-control rounded-md px-2.5 text-sm ${index === at ? 'bg-well' : ''}`}
          >
            <span className="min-w-0 flex-1 truncate">{showControls(entry.label)}</span>
            <span className="shrink-0 text-faint">{found[index - 1]?.hint === entry.hint ? '' : entry.hint}</span>
            {entry.keys === undefined ? null : <KeyCaps keys={showKeys(entry.keys)} />}
          </button>
        ))}
      </div>
      {found.length === 0 ? <p className="px-4 pb-4 text-sm text-soft">Nothing matches.</p> : null}
    </Overlay>
  );
}

function useEntries(text: string): ReadonlyArray<Entry> {
  const acts = useKnownActs();
  const list = useTaskList();
  const [, navigate] = useLocation();
  const rows = list.state === 'ready' ? list.value.rows : null;
  return useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (label: string) => words.every((word) => label.toLowerCase().includes(word));
    const doable = acts.filter((act) => act.isQuiet !== true && fits(act.label)).map(entryOf);
    const tasks = Object.values(rows ?? {})
      .map(({ task }) => ({ task, label: `${keyOf(task)} ${task.title}` }))
      .filter(({ label }) => words.length > 0 && fits(label))
      .slice(0, SHOWN)
      .map(({ task, label }) => ({
        id: task.id,
        label,
        hint: 'task',
        run: () => navigate(`/tasks/${keyOf(task)}`),
      }));
    return [...tasks, ...doable].slice(0, SHOWN);
  }, [acts, rows, text, navigate]);
}

function entryOf({ id, label, group, keys, run }: Act): Entry {
  return { id, label, hint: group.toLowerCase(), run, ...(keys === undefined ? {} : { keys }) };
}

/** In a low window the browser gives the focus to what scrolls around the field. */
function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
