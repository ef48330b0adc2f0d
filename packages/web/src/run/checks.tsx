import type { CheckResult } from '@attractor/api';
import { ChevronRight } from 'lucide-react';
import { showControls, showDuration } from '@attractor/api/shown';
import { CHECK_STATUS, StatusIcon } from '../ui/status.tsx';
import { Output } from './tool-call.tsx';

/** Each check on both sides: the commit the work began from, and the branch. */
export function Checks({ checks }: { readonly checks: ReadonlyArray<CheckResult> }) {
  const names = [...new Set(checks.map((check) => check.name))];
  if (names.length === 0) return <p className="text-faint">No checks have run.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {names.map((name) => (
        <li key={name}>
          <p className="mb-1 flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 font-medium wrap-anywhere">{showControls(name)}</span>
            <Verdict checks={checks.filter((check) => check.name === name)} />
            <code className="min-w-0 font-mono text-sm wrap-anywhere text-faint">
              {showControls(checks.find((check) => check.name === name)?.command ?? '')}
            </code>
          </p>
          <div className="overflow-hidden rounded-md border border-line">
            <Side label="Base" check={checks.find((check) => check.name === name && check.phase === 'base')} />
            <Side label="Branch" check={checks.find((check) => check.name === name && check.phase === 'branch')} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What the work did to a check, where both sides are known. */
function Verdict({ checks }: { readonly checks: ReadonlyArray<CheckResult> }) {
  const base = checks.find((check) => check.phase === 'base');
  const branch = checks.find((check) => check.phase === 'branch');
  if (base === undefined || branch === undefined || base.passed === branch.passed) return null;
  const words = branch.passed ? 'fixed on this branch' : 'broken on this branch';
  return <span className={`text-sm ${branch.passed ? 'text-good' : 'text-bad'}`}>{words}</span>;
}

function Side({ label, check }: { readonly label: string; readonly check: CheckResult | undefined }) {
  if (check === undefined) {
    return (
      <p className="flex min-h-8 items-center gap-2 border-t border-line px-2.5 text-sm text-faint first:border-t-0">
        <span className="w-19 pl-5">{label}</span> not run
      </p>
    );
  }
  const status = check.passed ? CHECK_STATUS.passed : CHECK_STATUS.failed;
  return (
    <details className="group border-t border-line first:border-t-0">
      <summary className="flex min-h-control items-center gap-2 px-2.5 py-1.5 text-sm -outline-offset-2 hover:bg-well active:bg-line">
        <ChevronRight size={13} aria-hidden className="shrink-0 text-faint group-open:rotate-90" />
        <span className="w-14">{label}</span>
        <StatusIcon status={status} />
        <span className="min-w-0 flex-1">
          {status.label}
          {check.passed || check.exitCode === null ? null : (
            <span className="text-faint max-[360px]:hidden"> · exit {check.exitCode}</span>
          )}
          {check.severity === 'warning' ? <span className="text-faint"> · warning only</span> : null}
        </span>
        <code className="hidden font-mono text-sm text-faint sm:inline">{showControls(check.commit.slice(0, 8))}</code>
        <span className="text-right text-sm sm:min-w-14 text-faint tabular-nums">{showDuration(check.durationMs)}</span>
      </summary>
      <div className="bg-well">
        <Output text={check.output} failed={!check.passed} />
      </div>
    </details>
  );
}
