import { EFFORTS, keyOf, PERMISSION_MODES, type Task, type TaskSettings, type TaskSettingsBody } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { settingValue } from '@attractor/api/shown';
import { LineForm } from '../../ui/line-form.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** What was chosen for this task's runs; a run that works or waits goes by it from its next round on. */
export function TaskSettingsOverlay({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const settings = useAnswer(['task-settings', task.id], () => api.messages.settings(task.id));
  return (
    <Overlay title={`Runs of ${keyOf(task)}`} onClose={onClose}>
      <div className="p-4">
        {settings.state === 'loading' ? <Loading /> : null}
        {settings.state === 'failed' ? <LoadFailed error={settings.error} again={settings.again} /> : null}
        {settings.state === 'ready' ? (
          <SettingsForm key={JSON.stringify(settings.value)} taskId={task.id} settings={settings.value} />
        ) : null}
      </div>
    </Overlay>
  );
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
    <div className="flex flex-col gap-3">
      <LineForm
        label="Model"
        placeholder="As configured"
        value={model}
        onChange={setModel}
        act="Set"
        isBusy={busy}
        disabled={model.trim() === (settings.model ?? '')}
        onSend={() => void change({ model: model.trim() === '' ? null : model.trim() })}
      />
      <ChoiceField
        label="Effort"
        value={settings.effort ?? ''}
        choices={[UNSET, ...EFFORTS.map((value) => ({ value, label: settingValue('effort', value) }))]}
        onChange={(value) => void change({ effort: EFFORTS.find((one) => one === value) ?? null })}
      />
      <ChoiceField
        label="Permission mode"
        value={settings.permissionMode ?? ''}
        choices={[UNSET, ...PERMISSION_MODES.map((value) => ({ value, label: settingValue('permissionMode', value) }))]}
        onChange={(value) => void change({ permissionMode: PERMISSION_MODES.find((one) => one === value) ?? null })}
      />
      <Refused error={error} />
    </div>
  );
}
