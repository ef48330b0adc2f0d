import type { ProviderInfo } from '@attractor/api';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { useMay, whoMay } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { Loading, LoadFailed } from '../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';

/** Which services of models are ready here, and what the others need. Keys are never shown, and never typed into a page. */
export function ModelsReady({ isFolded = false }: { readonly isFolded?: boolean }) {
  const may = useMay('operator');
  const found = useAnswer(['providers'], () => api.agents.providers(), { enabled: may });
  if (!may) return <p className="text-sm text-faint">{whoMay('operator', 'see which models are connected')}</p>;
  if (found.state === 'loading') return <Loading lines={3} />;
  if (found.state === 'failed') return <LoadFailed error={found.error} again={found.again} />;
  const ready = found.value.filter(({ isReady }) => isReady);
  const others = found.value.filter(({ isReady }) => !isReady);
  return (
    <div className="flex flex-col gap-3 text-sm">
      {ready.length === 0 ? (
        <p className={isFolded ? 'text-soft' : 'text-wait'}>No model is connected yet.</p>
      ) : (
        <ul aria-label="Connected models" className="flex flex-wrap gap-x-4 gap-y-1">
          {ready.map(({ id }) => (
            <li key={id} className="inline-flex items-center gap-1.5">
              <CircleCheck size={14} aria-hidden className="text-good" /> {showControls(id)} has what it needs
            </li>
          ))}
        </ul>
      )}
      <details open={ready.length === 0 && !isFolded}>
        <summary className="inline-flex min-h-control items-center text-soft underline underline-offset-2">
          {ready.length === 0 ? 'What each needs' : 'Connect another'}
        </summary>
        <Needs providers={others} />
        <Button className="mt-3" onClick={found.again}>
          Look again
        </Button>
      </details>
    </div>
  );
}

/** Those that most people have; the others on demand. */
const SHOWN = 8;

function Needs({ providers }: { readonly providers: ReadonlyArray<ProviderInfo> }) {
  const [isWhole, setWhole] = useState(false);
  const [first] = providers;
  if (first === undefined) return null;
  const shown = isWhole ? providers : providers.slice(0, SHOWN);
  const example = JSON.stringify({ providers: { [first.id]: { apiKey: '…' } } }, null, 2);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">Set one of these variables, or write it into the file below.</p>
      <ul aria-label="Models that can be connected" className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {shown.map(({ id, keyVariables, addressVariables, isKeyOptional }) => (
          <li key={id} className="flex min-w-0 items-start gap-1.5">
            <CircleDashed size={14} aria-hidden className="mt-0.5 shrink-0 text-faint" />
            <span className="min-w-0">
              {showControls(id)}:{' '}
              {(isKeyOptional && addressVariables.length > 0 ? addressVariables.slice(0, 1) : keyVariables).map(
                (variable, at) => (
                  <Fragment key={variable}>
                    {at === 0 ? '' : ' or '}
                    <code className="font-mono wrap-anywhere">{variable}</code>
                  </Fragment>
                ),
              )}
              {isKeyOptional ? <span className="text-faint"> (no key needed)</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {shown.length === providers.length ? null : (
        <Button kind="quiet" className="-mx-3 -my-1 self-start" onClick={() => setWhole(true)}>
          {providers.length - shown.length} more
        </Button>
      )}
      <div>
        <p>
          In <code className="font-mono wrap-anywhere">{showControls(first.settingsFile)}</code>:
        </p>
        <pre className="mt-1 overflow-auto rounded-md border border-line bg-well px-3 py-2 font-mono">{example}</pre>
        <p className="mt-1 text-soft">
          Both are read when the server starts: restart it after a change. Keys stay on that machine; this page never
          asks for one.
        </p>
      </div>
    </div>
  );
}
