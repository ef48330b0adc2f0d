import type { CopyState } from '@attractor/api';
import { useState } from 'react';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { Button } from '../ui/button.tsx';
import { Refused } from '../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { Elapsed } from '../ui/time.tsx';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';

const LOOK_MS = 500;

const PHASES: Readonly<Record<CopyState['phase'], string>> = {
  connecting: 'Connecting',
  receiving: 'Receiving objects',
  resolving: 'Resolving deltas',
  writing: 'Writing files',
};

/** What is being cloned, how far it is, and a way to stop it: also after a reload, and for whoever else looks. */
export function CopiesMade({ isCloning }: { readonly isCloning: boolean }) {
  const [isGoing, setGoing] = useState(false);
  const clones = useAnswer(['clones'], () => api.projects.clones(), isCloning || isGoing ? { every: LOOK_MS } : {});
  const going = clones.state === 'ready' ? clones.value : [];
  if (going.length > 0 !== isGoing) setGoing(going.length > 0);
  if (going.length === 0) return null;
  return (
    <ul aria-label="Being cloned" className="mt-3 flex flex-col gap-2">
      {going.map((clone) => (
        <CopyMade key={clone.id} clone={clone} />
      ))}
    </ul>
  );
}

function CopyMade({ clone: { id, url, phase, percent, startedAt } }: { readonly clone: CopyState }) {
  const { busy, error, run } = useCommand();
  const stop = async () => {
    if ((await run(() => api.projects.stopClone(id))) !== null) toast('The clone is stopped; nothing of it is left');
  };
  return (
    <li className="flex flex-col gap-2 rounded-md border border-line bg-well px-3 py-2.5">
      <div className="flex items-center gap-3">
        <code className="min-w-0 flex-1 truncate font-mono">{showControls(url)}</code>
        <Button isBusy={busy} onClick={() => void stop()}>
          Stop
        </Button>
      </div>
      <progress
        aria-label={`How far the clone of ${showControls(url)} is`}
        max={100}
        {...(percent === null ? {} : { value: percent })}
        className="h-1.5 w-full"
      />
      <p className="flex justify-between gap-3 text-soft tabular-nums">
        <span>
          {PHASES[phase]}
          {percent === null ? '…' : ` ${percent} %`}
        </span>
        <Elapsed since={startedAt} until={null} />
      </p>
      <Refused error={error} />
    </li>
  );
}
