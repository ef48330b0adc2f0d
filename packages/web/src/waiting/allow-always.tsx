import type { PromptAnswer } from '@attractor/api';
import { ChevronRight } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { showControls } from '@attractor/api/shown';
import type { PromptFormProps } from './prompt-form.ts';

type Remember = NonNullable<PromptAnswer['remember']>;

/** The rules that would allow the same call without asking from now on, and where each choice would write them. */
export function AllowAlways({ prompt, busy, onAnswer }: PromptFormProps<'tool_approval'>) {
  const { suggestions = [] } = prompt.payload;
  if (suggestions.length === 0) return null;
  return (
    <details className="group rounded-md border border-line">
      <summary className="flex min-h-control cursor-pointer items-center gap-2 px-2.5 text-sm text-soft">
        <ChevronRight size={13} aria-hidden className="shrink-0 text-faint group-open:rotate-90" />
        Allow always…
      </summary>
      <ul className="flex flex-col gap-3 border-t border-line px-3 py-2">
        {suggestions.map(({ rules, destination, file }) => (
          <li key={destination} className="flex flex-wrap items-center gap-2">
            <Button
              isBusy={busy}
              onClick={() => onAnswer({ decision: 'approve', remember: { rules, destination } })}
              aria-label={`Allow always ${PLACES[destination]}`}
            >
              <span className="inline-block first-letter:uppercase">{PLACES[destination]}</span>
            </Button>
            <span className="min-w-0 text-sm text-soft">
              <code className="font-mono break-words">{showControls(rules.join('  '))}</code>
              {file === null ? '' : ` is written to ${showControls(file)}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const PLACES: Readonly<Record<Remember['destination'], string>> = {
  session: 'in this run',
  localSettings: 'in this project, for me',
  projectSettings: 'in this project, for everyone',
  userSettings: 'in all my projects',
};
