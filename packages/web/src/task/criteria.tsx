import { type Criterion, criterionLine } from '@attractor/api';
import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Refused } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { showControls } from '../ui/plain-text.ts';
import { useCommand } from '../ui/use-command.ts';

const TONES: Readonly<Record<Criterion['state'], string>> = {
  accepted: 'text-good',
  shown: 'text-good',
  claimed: 'text-wait',
  refuted: 'text-bad',
  open: 'text-soft',
};

/** The acceptance criteria and what shows each; asked for again when the log has grown to `seq`. Nothing for a task without any. */
export function Criteria({ taskId, seq }: { readonly taskId: string; readonly seq: number }) {
  const [criteria, setCriteria] = useState<ReadonlyArray<Criterion>>([]);
  const { busy, error, run } = useCommand();
  const key = `${seq} ${taskId}`;
  useEffect(() => {
    let gone = false;
    void api.criteria.list(key.split(' ')[1] ?? '').then((answer) => {
      if (!gone && answer.ok) setCriteria(answer.value);
    });
    return () => {
      gone = true;
    };
  }, [key]);
  if (criteria.length === 0) return null;
  const mark = async (number: number, isMet: boolean | null) => {
    const next = await run(() => api.criteria.mark(taskId, { number, isMet }));
    if (next !== null) setCriteria(next);
  };
  return (
    <div className="mt-4">
      <Panel title="Acceptance criteria">
        <ul className="flex flex-col gap-1 text-[13px]">
          {criteria.map((one) => (
            <li key={one.number} className="flex flex-wrap items-baseline gap-2">
              <span className={`min-w-0 flex-1 break-words ${TONES[one.state]}`}>
                {showControls(criterionLine(one))}
              </span>
              <Button disabled={busy} onClick={() => void mark(one.number, one.mark === null ? true : null)}>
                {one.mark === null ? 'Accept' : 'Take back'}
              </Button>
            </li>
          ))}
        </ul>
        <Refused error={error} />
      </Panel>
    </div>
  );
}
