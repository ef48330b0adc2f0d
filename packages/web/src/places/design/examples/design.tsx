import { useEffect, useState } from 'react';
import { PageHead } from '../../../ui/page-head.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { Toasts } from '../../../ui/toast.tsx';
import { ANSWERS } from './answers.tsx';
import { CHANGES } from './changes.tsx';
import { CONTROLS } from './controls.tsx';
import { isNone, type Part, STATES } from './example.tsx';
import { FIGURES } from './figures.tsx';
import { FORMS } from './forms.tsx';
import { holdLooks } from './held-looks.ts';
import { OVER } from './over.tsx';
import { RUNS } from './runs.tsx';
import { STATUSES } from './statuses.tsx';
import { TEXTS } from './texts.tsx';
import { Tokens } from './tokens.tsx';

const PARTS: ReadonlyArray<Part> = [
  ...CONTROLS,
  ...FORMS,
  ...OVER,
  ...STATUSES,
  ...TEXTS,
  ...FIGURES,
  ...RUNS,
  ...CHANGES,
  ...ANSWERS,
];

const SIDES = { both: ['light', 'dark'], light: ['light'], dark: ['dark'] } as const;
const LOOKS = [
  { name: 'both', label: 'Light and dark' },
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
  { name: 'phone', label: 'Phone' },
] as const;

/** It is this page itself. */
const OWN = 'allow-scripts allow-same-origin';

/** Every part in every state; only while the app is developed, and without a server. */
export function DesignPlace() {
  const [look, choose] = useState<(typeof LOOKS)[number]['name']>('both');
  useEffect(holdLooks);
  return (
    <main className="mx-auto max-w-[1800px] p-4">
      <PageHead title="Design" about={`${PARTS.length} parts in ${STATES.length} states`}>
        <Segments label="Look" choices={LOOKS} chosen={look} onChoose={choose} />
      </PageHead>
      {look === 'phone' ? (
        <div className="flex flex-wrap gap-4">
          <iframe
            sandbox={OWN}
            title="390 wide"
            src="/design"
            width={390}
            height={844}
            className="rounded-lg border border-edge"
          />
          <iframe
            sandbox={OWN}
            title="320 wide"
            src="/design"
            width={320}
            height={640}
            className="rounded-lg border border-edge"
          />
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <Tokens sides={SIDES[look]} />
          {PARTS.map((part) => (
            <PartPanel key={part.of} part={part} sides={SIDES[look]} />
          ))}
        </div>
      )}
      <Toasts />
    </main>
  );
}

type Sides = ReadonlyArray<'light' | 'dark'>;

function PartPanel({ part: { of, from, states }, sides }: { readonly part: Part; readonly sides: Sides }) {
  const without = STATES.flatMap((state) => {
    const example = states[state];
    return isNone(example) ? [{ state, why: example.none }] : [];
  });
  return (
    <Panel title={of} side={<code className="font-mono text-sm text-faint">{from}</code>} flush>
      <div className={sides.length > 1 ? 'grid lg:grid-cols-2' : ''}>
        {sides.map((side) => (
          <div key={side} data-theme={side} className="flex min-w-0 flex-col gap-4 bg-page p-4 text-ink">
            {STATES.map((state) => (
              <Shown key={state} part={of} state={state} example={states[state]} />
            ))}
          </div>
        ))}
      </div>
      {without.length === 0 ? null : (
        <p className="border-t border-line px-4 py-2 text-sm text-faint">{withoutWords(without)}</p>
      )}
    </Panel>
  );
}

type ShownProps = {
  readonly part: string;
  readonly state: (typeof STATES)[number];
  readonly example: Part['states']['default'];
};

function Shown({ part, state, example }: ShownProps) {
  if (isNone(example)) return null;
  return (
    <section
      aria-label={`${part}, ${state}`}
      className="grid min-w-0 gap-x-4 gap-y-1 sm:grid-cols-[4.5rem_minmax(0,1fr)]"
    >
      <h3 className="text-sm text-faint">{state}</h3>
      <div className="min-w-0">{example}</div>
    </section>
  );
}

/** One sentence for each reason, with the states that it holds for. */
function withoutWords(without: ReadonlyArray<{ readonly state: string; readonly why: string }>): string {
  const reasons = [...new Set(without.map(({ why }) => why))];
  return reasons
    .map((why) => {
      const names = without.filter((one) => one.why === why).map(({ state }) => state);
      return `Without ${names.join(', ')}: ${why}`;
    })
    .join(' ');
}
