import type { DiskUsage, Health, ProviderLimit } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { showBytes, showControls, showDay, typeset } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CHECK_STATUS, StatusIcon } from '../../ui/status.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { Audit } from './audit.tsx';

/** Whether all is well with the server, what its providers and its disk allow, and who did what. */
export function ServerState() {
  const status = useAnswer(['server', 'status'], () => api.health.status());
  const disk = useAnswer(['server', 'disk'], () => api.health.disk());
  return (
    <>
      {status.state === 'loading' ? <Loading /> : null}
      {status.state === 'failed' ? <LoadFailed error={status.error} again={status.again} /> : null}
      {status.state === 'ready' ? <Parts health={status.value.health} /> : null}
      <Limits />
      {disk.state === 'ready' ? <Disk disk={disk.value} /> : null}
      <Audit />
    </>
  );
}

/** As machines write a time. */
const MOMENT = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

function Parts({ health: { parts } }: { readonly health: Health }) {
  const cache = useQueryClient();
  const [found, setFound] = useState<ReadonlyArray<string> | null>(null);
  const { busy, error, run } = useCommand();
  const look = async () => {
    const report = await run(() => api.health.supervise());
    if (report === null) return;
    setFound([...report.findings.map(({ summary }) => summary), ...report.problems]);
    void cache.invalidateQueries({ queryKey: ['server'] });
  };
  const side = (
    <Button
      kind="quiet"
      className="-mr-3"
      isBusy={busy}
      title="Looks for what died, hangs or can be tidied up"
      onClick={() => void look()}
    >
      Look now
    </Button>
  );
  return (
    <Panel title="Health" side={side}>
      <ul className="flex flex-col gap-1.5 text-sm">
        {parts.map(({ name, ok, summary }) => {
          const status = ok ? CHECK_STATUS.passed : CHECK_STATUS.failed;
          return (
            <li key={name} className="flex items-start gap-2">
              <span className="flex h-5 w-28 shrink-0 items-center gap-2 font-medium">
                <StatusIcon status={status} />
                <span className="sr-only">{ok ? 'Well: ' : 'Not well: '}</span>
                {name === 'prompts' ? 'Questions' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`}
              </span>
              <span className="min-w-0 break-words text-soft">{typeset(summary.replaceAll(MOMENT, showDay))}</span>
            </li>
          );
        })}
      </ul>
      {found === null ? null : (
        <p role="status" className="mt-3 text-sm break-words">
          {found.length === 0 ? 'Nothing had to be done.' : showControls(found.join(' '))}
        </p>
      )}
      <Refused error={error} />
    </Panel>
  );
}

function Limits() {
  const cache = useQueryClient();
  const limits = useAnswer(['server', 'limits'], () => api.health.limits());
  const { busy, error, run } = useCommand();
  if (limits.state !== 'ready') return null;
  const lift = async ({ account }: ProviderLimit) => {
    if ((await run(() => api.health.liftLimit(account))) !== null)
      void cache.invalidateQueries({ queryKey: ['server'] });
  };
  return (
    <Panel title="Limits of providers">
      {limits.value.length === 0 ? <p className="text-sm text-soft">No provider has set a limit.</p> : null}
      <ul className="flex flex-col gap-2 text-sm">
        {limits.value.map((limit) => (
          <li key={limit.account} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium">{showControls(limit.account)}</span>
            <span className="min-w-0 flex-1 break-words text-soft">
              until {showDay(limit.until)}: {typeset(limit.reason)}
            </span>
            <Button
              isBusy={busy}
              aria-label={`Lift the limit of ${showControls(limit.account)}`}
              onClick={() => void lift(limit)}
            >
              Lift
            </Button>
          </li>
        ))}
      </ul>
      <Refused error={error} />
    </Panel>
  );
}

function Disk({ disk: { totalBytes, maxBytes, freeBytes, homeBytes, worktrees } }: { readonly disk: DiskUsage }) {
  const facts = [
    ['Attractor’s own files', showBytes(homeBytes)],
    [`Copies of the work of ${worktrees.length} ${worktrees.length === 1 ? 'task' : 'tasks'}`, showBytes(totalBytes)],
    ['Limit for these copies', maxBytes === null ? 'no limit' : showBytes(maxBytes)],
    ['Free on the disk', showBytes(freeBytes)],
  ] as const;
  return (
    <Panel title="Disk">
      <dl className="flex max-w-lg flex-col gap-1 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-x-4">
            <dt className="text-soft">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
