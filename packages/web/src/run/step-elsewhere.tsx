import type { NextStep } from '@attractor/api';
import { Link } from 'wouter';
import { buttonClass } from '../ui/button.tsx';
import { showControls, typeset } from '@attractor/api/shown';

/** Where this app has what a terminal would print. */
const PLACES: Readonly<Partial<Record<string, { readonly label: string; readonly path: string }>>> = {
  budgets: { label: 'See and raise the budgets', path: '/costs' },
  disk: { label: 'See what takes up space', path: '/settings?tab=server' },
  doctor: { label: 'See what is missing', path: '/agents' },
};

/** The likeliest step that is a button here: a command to type is none. */
export function firstButton(steps: ReadonlyArray<NextStep>): NextStep | undefined {
  return steps.find(({ id, call }) => call !== null || PLACES[id] !== undefined);
}

type StepElsewhereProps = { readonly step: NextStep; readonly isFirst: boolean };

/** A step that is not one call: the place where it is taken, or what to type. */
export function StepElsewhere({ step: { id, label, command }, isFirst }: StepElsewhereProps) {
  const place = PLACES[id];
  if (place !== undefined)
    return (
      <Link href={place.path} className={buttonClass(isFirst ? 'primary' : 'plain')}>
        {place.label}
      </Link>
    );
  return (
    <span className="text-sm text-soft">
      {typeset(label)}: <code className="rounded-md bg-well px-2 py-1 font-mono text-ink">{showControls(command)}</code>
    </span>
  );
}
