import { Panel } from '../../../ui/panel.tsx';

const GROUNDS = [
  ['page', 'bg-page'],
  ['panel', 'bg-panel'],
  ['raised', 'bg-raised'],
  ['well', 'bg-well'],
  ['lane', 'bg-lane'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
  ['edge-strong', 'bg-edge-strong'],
  ['accent', 'bg-accent'],
  ['bar', 'bg-bar'],
] as const;
const INKS = [
  ['ink', 'text-ink'],
  ['soft', 'text-soft'],
  ['faint', 'text-faint'],
  ['keyword', 'text-code-keyword'],
  ['string', 'text-code-string'],
  ['comment', 'text-code-comment'],
  ['name', 'text-code-name'],
] as const;
/** Each state has its colour, and its ground. */
const STATES = [
  ['idle', 'text-idle', 'bg-idle-well', 'bg-idle'],
  ['work', 'text-work', 'bg-work-well', 'bg-work'],
  ['wait', 'text-wait', 'bg-wait-well', 'bg-wait'],
  ['good', 'text-good', 'bg-good-well', 'bg-good-mark'],
  ['bad', 'text-bad', 'bg-bad-well', 'bg-bad-mark'],
  ['look', 'text-look', 'bg-look-well', 'bg-look'],
] as const;
const SIZES = [
  ['13 / 20', 'text-sm'],
  ['15 / 24', 'text-base'],
  ['20 / 28', 'text-lg'],
  ['28 / 36', 'text-xl'],
] as const;
const SHADOWS = [
  ['menu', 'shadow-menu'],
  ['overlay', 'shadow-overlay'],
] as const;

const VEIL = 'bg-veil';

/** What `tokens.css` names: the parts are made of these, and of nothing else. */
export function Tokens({ sides }: { readonly sides: ReadonlyArray<'light' | 'dark'> }) {
  return (
    <Panel title="Tokens" side={<code className="font-mono text-sm text-faint">ui/tokens.css</code>} flush>
      <div className={sides.length > 1 ? 'grid lg:grid-cols-2' : ''}>
        {sides.map((side) => (
          <div key={side} data-theme={side} className="flex min-w-0 flex-col gap-4 bg-page p-4 text-sm text-ink">
            <ul aria-label="Grounds" className="grid grid-cols-[repeat(auto-fill,minmax(96px,1fr))] gap-3">
              {GROUNDS.map(([name, ground]) => (
                <li key={name} className="text-soft">
                  <span className={`block h-10 rounded-md border border-line ${ground}`} />
                  {name}
                </li>
              ))}
            </ul>
            <p className="flex flex-wrap gap-x-4 gap-y-1">
              {INKS.map(([name, ink]) => (
                <span key={name} className={ink}>
                  {name}
                </span>
              ))}
            </p>
            <ul aria-label="States" className="flex flex-wrap gap-3">
              {STATES.map(([name, ink, well, mark]) => (
                <li key={name} className={`flex items-center gap-2 rounded-md px-3 py-1 ${ink} ${well}`}>
                  <span className={`size-3 rounded ${mark}`} />
                  {name}
                </li>
              ))}
              <li className="flex items-center gap-2 rounded-md px-3 py-1">
                <span className={`h-3 w-8 rounded ${VEIL}`} />
                veil
              </li>
            </ul>
            <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
              {SIZES.map(([name, size]) => (
                <span key={name} className={size}>
                  {name}
                </span>
              ))}
              <code className="font-mono">0O 1lI =&gt; !=</code>
            </p>
            <ul aria-label="Shadows" className="flex gap-8 pb-4">
              {SHADOWS.map(([name, shadow]) => (
                <li key={name} className={`rounded-lg border border-line bg-raised px-6 py-4 ${shadow}`}>
                  {name}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Panel>
  );
}
