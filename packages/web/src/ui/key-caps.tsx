/** Keys as they are on a keyboard. */
export function KeyCaps({ keys }: { readonly keys: ReadonlyArray<string> }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-well px-1 font-sans text-sm text-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
