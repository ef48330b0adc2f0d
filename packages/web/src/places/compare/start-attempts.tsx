import type { AttemptsBody } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

type Wanted = { readonly id: number; readonly agentType: string; readonly model: string };

const FEWEST = 2;
const MOST = 10;

/** Several agents at the same task, each on its own branch. */
export function StartAttempts({
  taskId,
  isBusy,
  isFirst,
}: {
  readonly taskId: string;
  readonly isBusy: boolean;
  readonly isFirst: boolean;
}) {
  const cache = useQueryClient();
  const [rows, setRows] = useState<ReadonlyArray<Wanted>>([empty(1), empty(2)]);
  const { busy, error, run } = useCommand();
  const change = (id: number, edit: Partial<Wanted>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...edit } : row)));
  const start = async () => {
    const group = await run(() => api.attempts.start(taskId, { attempts: rows.map(attemptOf) }));
    if (group === null) return;
    toast(`${group.attempts.length} attempts started`);
    void cache.invalidateQueries({ queryKey: ['attempts'] });
  };
  return (
    <For least="operator" what="start attempts">
      <Panel title="Let several agents try it">
        <ul className="flex flex-col gap-3">
          {rows.map((row, at) => (
            <li key={row.id} className="flex flex-wrap items-end gap-3 max-sm:[&>label]:w-full">
              <AttemptFields row={row} number={at + 1} onChange={(edit) => change(row.id, edit)} />
              {rows.length > FEWEST ? (
                <IconButton
                  label={`Leave out attempt ${at + 1}`}
                  onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
                >
                  <X size={15} aria-hidden />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ul>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button kind={isFirst ? 'primary' : 'plain'} isBusy={busy} disabled={isBusy} onClick={() => void start()}>
            Start {rows.length} attempts
          </Button>
          <Button
            kind="quiet"
            disabled={rows.length >= MOST}
            onClick={() => setRows([...rows, empty(Math.max(...rows.map(({ id }) => id)) + 1)])}
          >
            <Plus size={14} aria-hidden /> One more
          </Button>
          {isBusy ? (
            <span className="text-sm text-soft">An agent is at work on this task: wait for it or stop it.</span>
          ) : null}
        </div>
        <Refused error={error} />
      </Panel>
    </For>
  );
}

type AttemptFieldsProps = {
  readonly row: Wanted;
  readonly number: number;
  readonly onChange: (edit: Partial<Wanted>) => void;
};

function AttemptFields({ row, number, onChange }: AttemptFieldsProps) {
  const agents = useAnswer(['agents'], () => api.agents.list());
  const known = agents.state === 'ready' ? agents.value.filter(({ available }) => available) : [];
  const choices = known.map(({ type, displayName }) => ({ value: type, label: showControls(displayName) }));
  return (
    <>
      <ChoiceField
        label={`Agent of attempt ${number}`}
        value={row.agentType}
        choices={[{ value: '', label: 'The task’s agent' }, ...choices]}
        onChange={(agentType) => onChange({ agentType })}
      />
      <TextField
        label={`Model of attempt ${number}`}
        value={row.model}
        placeholder="The agent’s own"
        onChange={(model) => onChange({ model })}
      />
    </>
  );
}

function empty(id: number): Wanted {
  return { id, agentType: '', model: '' };
}

function attemptOf({ agentType, model }: Wanted): NonNullable<AttemptsBody['attempts']>[number] {
  return {
    ...(agentType === '' ? {} : { agentType }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
  };
}
