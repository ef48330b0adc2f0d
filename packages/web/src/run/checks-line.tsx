import type { CheckResult } from '@attractor/api';
import { Link } from 'wouter';
import { showControls } from '@attractor/api/shown';
import { CHECK_STATUS, StatusIcon } from '../ui/status.tsx';

type ChecksLineProps = {
  readonly checks: ReadonlyArray<Pick<CheckResult, 'name' | 'phase' | 'passed'>>;
  readonly path: string;
};

/** How the checks stand, beside the change that they judge. */
export function ChecksLine({ checks: all, path }: ChecksLineProps) {
  const checks = all.filter(({ phase }) => phase === 'branch');
  const failedBefore = new Set(all.filter(({ phase, passed }) => phase === 'base' && !passed).map(({ name }) => name));
  if (checks.length === 0) return null;
  return (
    <ul aria-label="Checks of this change" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {checks.map(({ name, passed }) => {
        const status = passed ? CHECK_STATUS.passed : CHECK_STATUS.failed;
        return (
          <li key={name}>
            <Link
              href={path}
              className="inline-flex min-h-link items-center gap-1.5 hover:underline pointer-coarse:min-w-control"
            >
              <StatusIcon status={status} />
              <span className="sr-only">{status.label}: </span>
              <span className="min-w-0 wrap-anywhere">{showControls(name)}</span>
              {!passed && failedBefore.has(name) ? <span className="text-faint">failed before too</span> : null}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
