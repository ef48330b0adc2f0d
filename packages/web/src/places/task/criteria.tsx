import { type Criterion, criterionLine } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { useCommand } from '../../ui/use-command.ts';

const TONES: Readonly<Record<Criterion['state'], string>> = {
  accepted: 'text-good',
  shown: 'text-good',
  claimed: 'text-wait',
  refuted: 'text-bad',
  open: 'text-soft',
};

/** The acceptance criteria and what shows each. Nothing for a task without any. */
export function Criteria({ taskId }: { readonly taskId: string }) {
  const cache = useQueryClient();
  const { busy, error, run } = useCommand();
  useAfterLog(['criteria', taskId]);
  const criteria = useAnswer(['criteria', taskId], () => api.criteria.list(taskId));
  if (criteria.state !== 'ready' || criteria.value.length === 0) return null;
  const mark = async (number: number, isMet: boolean | null) => {
    const next = await run(() => api.criteria.mark(taskId, { number, isMet }));
    if (next !== null) cache.setQueryData(['criteria', taskId], next);
  };
  return (
    <Panel title="Acceptance criteria">
      <ul className="flex flex-col gap-2 text-sm">
        {criteria.value.map((one) => (
          <li key={one.number} className="flex flex-wrap items-baseline gap-2">
            <span className={`min-w-0 flex-1 break-words ${TONES[one.state]}`}>{showControls(criterionLine(one))}</span>
            <Button
              disabled={busy}
              aria-label={`${one.mark === null ? 'Accept' : 'Take back'} criterion ${one.number}`}
              onClick={() => void mark(one.number, one.mark === null ? true : null)}
            >
              {one.mark === null ? 'Accept' : 'Take back'}
            </Button>
          </li>
        ))}
      </ul>
      <Refused error={error} />
    </Panel>
  );
}
