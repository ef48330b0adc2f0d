import type { Criterion } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Circle, CircleAlert, CircleCheck, CircleDashed, type LucideIcon } from 'lucide-react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls, typeset } from '@attractor/api/shown';
import { useCommand } from '../../ui/use-command.ts';

const LOOKS: Readonly<Record<Criterion['state'], { readonly tone: string; readonly icon: LucideIcon }>> = {
  accepted: { tone: 'text-good', icon: CircleCheck },
  shown: { tone: 'text-good', icon: CircleCheck },
  claimed: { tone: 'text-wait', icon: CircleDashed },
  refuted: { tone: 'text-bad', icon: CircleAlert },
  open: { tone: 'text-soft', icon: Circle },
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
  const verify = async () => {
    const next = await run(() => api.criteria.verify(taskId));
    if (next !== null) cache.setQueryData(['criteria', taskId], next);
  };
  const side = (
    <For least="operator">
      <Button
        kind="quiet"
        className="-mr-3"
        isBusy={busy}
        title="Verifies the evidence for each again, on the branch"
        onClick={() => void verify()}
      >
        Look again
      </Button>
    </For>
  );
  return (
    <Panel title="Acceptance criteria" side={side}>
      <ul className="flex flex-col gap-2 text-sm">
        {criteria.value.map((one) => (
          <li key={one.number} className="flex items-start gap-2">
            <CriterionText criterion={one} />
            <For least="operator">
              <Button
                isBusy={busy}
                aria-label={`${one.mark === null ? 'Accept' : 'Take back'} criterion ${one.number}`}
                onClick={() => void mark(one.number, one.mark === null ? true : null)}
              >
                {one.mark === null ? 'Accept' : 'Take back'}
              </Button>
            </For>
          </li>
        ))}
      </ul>
      <Refused error={error} />
    </Panel>
  );
}

function CriterionText({ criterion: { text, state, detail } }: { readonly criterion: Criterion }) {
  const { tone, icon: Icon } = LOOKS[state];
  return (
    <>
      <Icon size={14} strokeWidth={2.2} aria-hidden className={`mt-2 shrink-0 pointer-coarse:mt-4 ${tone}`} />
      <span className="min-w-0 flex-1 pt-1.5 break-words pointer-coarse:pt-3">
        {showControls(text)}
        <span className={`block ${tone} ${state === 'open' && detail === null ? 'sr-only' : ''}`}>
          {typeset(detail ?? state)}
        </span>
      </span>
    </>
  );
}
