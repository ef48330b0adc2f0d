import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { emptyDraft, type SubtaskDraft } from '@attractor/api/shown';

type SplitEditorProps = {
  readonly drafts: ReadonlyArray<SubtaskDraft>;
  readonly onChange: (drafts: ReadonlyArray<SubtaskDraft>) => void;
};

/** The parts of a split in a person's own words: changed, added, taken away, in another order. */
export function SplitEditor({ drafts, onChange }: SplitEditorProps) {
  const set = (at: number, change: Partial<SubtaskDraft>) =>
    onChange(drafts.map((draft, index) => (index === at ? { ...draft, ...change } : draft)));
  const swap = (at: number, other: number) => {
    const next = [...drafts];
    const [one, two] = [next[at], next[other]];
    if (one === undefined || two === undefined) return;
    next[at] = two;
    next[other] = one;
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-2">
      {drafts.map((draft, at) => (
        <fieldset key={draft.name} className="flex flex-col gap-2 rounded-md border border-line bg-panel px-4 py-3">
          <legend className="sr-only">Part {at + 1}</legend>
          <PartButtons
            at={at}
            count={drafts.length}
            onSwap={(other) => swap(at, other)}
            onRemove={() => onChange(drafts.filter((_, index) => index !== at))}
          />
          <TextField label="Title" value={draft.title} maxLength={500} onChange={(title) => set(at, { title })} />
          <MessageField
            label="Details"
            value={draft.description}
            onChange={(description) => set(at, { description })}
          />
          <MessageField
            label="Acceptance criteria, one per line"
            value={draft.criteria}
            onChange={(criteria) => set(at, { criteria })}
          />
          <TextField
            label="After these parts"
            hint={`By name: ${drafts
              .map(({ name }) => name)
              .filter((name) => name !== draft.name)
              .join(', ')}`}
            value={draft.after}
            onChange={(after) => set(at, { after })}
          />
        </fieldset>
      ))}
      <div>
        <Button onClick={() => onChange([...drafts, emptyDraft(drafts)])}>
          <Plus size={15} aria-hidden /> Add a part
        </Button>
      </div>
    </div>
  );
}

type PartButtonsProps = {
  readonly at: number;
  readonly count: number;
  readonly onSwap: (other: number) => void;
  readonly onRemove: () => void;
};

function PartButtons({ at, count, onSwap, onRemove }: PartButtonsProps) {
  return (
    <div className="flex items-center gap-1">
      <span className="mr-auto text-sm font-medium">Part {at + 1}</span>
      <IconButton label={`Move part ${at + 1} up`} disabled={at === 0} onClick={() => onSwap(at - 1)}>
        <ArrowUp size={15} aria-hidden />
      </IconButton>
      <IconButton label={`Move part ${at + 1} down`} disabled={at === count - 1} onClick={() => onSwap(at + 1)}>
        <ArrowDown size={15} aria-hidden />
      </IconButton>
      <IconButton label={`Remove part ${at + 1}`} disabled={count === 1} onClick={onRemove}>
        <Trash2 size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
