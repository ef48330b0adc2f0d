import { useKnownActs } from '../../keys/acts.ts';
import { KeyCaps } from '../../ui/key-caps.tsx';

const HINTS = [
  { id: 'inbox next', keys: ['J', 'K'], word: 'move' },
  { id: 'change n', keys: ['N', 'P'], word: 'changes' },
  { id: 'answer a', keys: ['A'], word: 'accept' },
  { id: 'answer e', keys: ['E'], word: 'edit' },
  { id: 'answer r', keys: ['R'], word: 'refuse' },
];

/** The keys that do something with what is shown; the sheet of keys has all of them. */
export function InboxKeys() {
  const known = new Set(useKnownActs().map(({ id }) => id));
  return (
    <p className="hidden items-center gap-4 text-sm text-faint lg:flex pointer-coarse:hidden">
      {HINTS.filter(({ id }) => known.has(id)).map(({ id, keys, word }) => (
        <span key={id} className="inline-flex items-center gap-1.5">
          <KeyCaps keys={keys} /> {word}
        </span>
      ))}
    </p>
  );
}
