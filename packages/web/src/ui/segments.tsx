type SegmentsProps<Name extends string> = {
  readonly label: string;
  readonly choices: ReadonlyArray<{ readonly name: Name; readonly label: string }>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
};

/** A choice between two or three ways to look at the same. */
export function Segments<Name extends string>({ label, choices, chosen, onChoose }: SegmentsProps<Name>) {
  return (
    <div role="group" aria-label={label} className="inline-flex flex-wrap rounded-md border border-edge bg-panel p-px">
      {choices.map(({ name, label: text }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
          className={`min-h-option grow rounded px-2.5 whitespace-nowrap pointer-coarse:min-w-control text-sm active:bg-line ${name === chosen ? 'bg-well font-medium' : 'text-soft hover:text-ink'}`}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
