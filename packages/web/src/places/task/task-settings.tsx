import { EFFORTS, PERMISSION_MODES, type TaskSettings, type TaskSettingsBody } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useMay } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** What was chosen for this task's runs; a run that works or waits goes by it from its next round on. */
export function TaskSettingsPanel({ taskId }: { readonly taskId: string }) {
  useAfterLog(['task-settings', taskId]);
  const settings = useAnswer(['task-settings', taskId], () => api.messages.settings(taskId));
  const may = useMay('operator');
  if (settings.state !== 'ready' || !may) return null;
  return <SettingsForm key={JSON.stringify(settings.value)} taskId={taskId} settings={settings.value} />;
}

const UNSET = { value: '', label: 'As configured' };

function SettingsForm({ taskId, settings }: { readonly taskId: string; readonly settings: TaskSettings }) {
  const cache = useQueryClient();
  const { busy, error, run } = useCommand();
  const [model, setModel] = useState(settings.model ?? '');
  const change = async (body: TaskSettingsBody) => {
    const next = await run(() => api.messages.changeSettings(taskId, body));
    if (next !== null) cache.setQueryData(['task-settings', taskId], next);
  };
  return (
    <Panel title="For its runs">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void change({ model: model.trim() === '' ? null : model.trim() });
        }}
      >
        <div className="flex items-end gap-2">
          <TextField label="Model" placeholder="As configured" value={model} onChange={setModel} />
          <Button type="submit" disabled={busy || model.trim() === (settings.model ?? '')}>
            Set
          </Button>
        </div>
        <ChoiceField
          label="Effort"
          value={settings.effort ?? ''}
          choices={[UNSET, ...EFFORTS.map((value) => ({ value, label: value }))]}
          onChange={(value) => void change({ effort: EFFORTS.find((one) => one === value) ?? null })}
        />
        <ChoiceField
          label="Permission mode"
          value={settings.permissionMode ?? ''}
          choices={[UNSET, ...PERMISSION_MODES.map((value) => ({ value, label: value }))]}
          onChange={(value) => void change({ permissionMode: PERMISSION_MODES.find((one) => one === value) ?? null })}
        />
        <Refused error={error} />
      </form>
    </Panel>
  );
}
