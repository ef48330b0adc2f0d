import type { QueueState } from '@attractor/api';
import { expectedOfName } from '@attractor/base';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

const KINDS = [
  { value: 'agent', label: 'Agent' },
  { value: 'account', label: 'Account' },
];

type QueueLimitsProps = {
  readonly limits: QueueState['limits'];
  readonly onChanged: (queue: QueueState) => void;
};

/** How many runs of an agent, or of an account, may go at once. */
export function QueueLimits({ limits, onChanged }: QueueLimitsProps) {
  const { busy, error, run } = useCommand();
  const [kind, setKind] = useState('agent');
  const [name, setName] = useState('');
  const [max, setMax] = useState('');
  const isWrong = max !== '' && !/^\d+$/.test(max);
  const set = async (limit: Parameters<typeof api.queue.setLimit>[0]) => {
    const next = await run(() => api.queue.setLimit(limit));
    if (next === null) return false;
    setName('');
    setMax('');
    onChanged(next);
    return true;
  };
  const lift = async ({ kind: of, name: whose, max: before }: QueueState['limits'][number]) => {
    if (!(await set({ kind: of, name: whose, max: null }))) return;
    const undo = () => void set({ kind: of, name: whose, max: before });
    toast(showControls(`The limit on ${whose} is lifted`), { undo });
  };
  return (
    <div className="flex flex-col gap-2 pt-3 text-sm">
      <ul className="flex flex-col gap-1 empty:hidden">
        {limits.map((limit) => (
          <LimitLine key={`${limit.kind} ${limit.name}`} limit={limit} busy={busy} onLift={() => void lift(limit)} />
        ))}
      </ul>
      <For least="admin">
        <form
          className="grid items-start gap-3 sm:grid-cols-4"
          onSubmit={(event) => {
            event.preventDefault();
            void set({ kind: kind === 'account' ? 'account' : 'agent', name: name.trim(), max: Number(max) });
          }}
        >
          <ChoiceField label="Limit runs by" value={kind} choices={KINDS} onChange={setKind} />
          <NameField label="Name" value={name} longest={200} onChange={setName} />
          <TextField
            label="At most at once"
            inputMode="numeric"
            value={max}
            onChange={setMax}
            {...(isWrong ? { problem: 'A whole number, such as 2' } : {})}
          />
          <Button
            type="submit"
            className="justify-self-start sm:mt-6"
            isBusy={busy}
            disabled={expectedOfName(name, 200) !== null || max === '' || isWrong}
          >
            Limit
          </Button>
        </form>
      </For>
      <Refused error={error} />
    </div>
  );
}

type LimitLineProps = {
  readonly limit: QueueState['limits'][number];
  readonly busy: boolean;
  readonly onLift: () => void;
};

function LimitLine({ limit: { kind, name, max }, busy, onLift }: LimitLineProps) {
  return (
    <li className="flex min-h-8 items-center gap-3">
      At most {max} at once for the {kind} {showControls(name)}
      <For least="admin">
        <Button kind="quiet" isBusy={busy} aria-label={`Lift the limit of ${showControls(name)}`} onClick={onLift}>
          Lift
        </Button>
      </For>
    </li>
  );
}
