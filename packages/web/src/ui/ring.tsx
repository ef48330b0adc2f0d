const RADIUS = 6;
const AROUND = 2 * Math.PI * RADIUS;

/** A share of a whole; from four fifths on it warns. */
export function Ring({ share, label }: { readonly share: number; readonly label: string }) {
  const filled = Math.min(1, Math.max(0, share)) * AROUND;
  return (
    <svg role="img" aria-label={label} viewBox="0 0 16 16" className="size-4 shrink-0 -rotate-90 fill-none stroke-2">
      <title>{label}</title>
      <circle cx="8" cy="8" r={RADIUS} className="stroke-line" />
      <circle
        cx="8"
        cy="8"
        r={RADIUS}
        strokeDasharray={`${filled} ${AROUND}`}
        className={share < 0.8 ? 'stroke-bar' : 'stroke-wait'}
      />
    </svg>
  );
}
