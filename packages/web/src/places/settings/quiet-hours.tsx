import type { NotifyView } from '@attractor/api';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

type QuietHoursProps = { readonly hours: NotifyView['quietHours']; readonly onChanged: () => void };

/** When nobody is told; what is urgent comes all the same, the rest afterwards in one message. */
export function QuietHours({ hours, onChanged }: QuietHoursProps) {
  const { timeZone: here } = new Intl.DateTimeFormat().resolvedOptions();
  const [from, setFrom] = useState(hours?.from ?? '22:00');
  const [to, setTo] = useState(hours?.to ?? '07:00');
  const [zone, setZone] = useState(hours?.timeZone ?? here);
  const { busy, error, run } = useCommand();
  const save = async (next: NotifyView['quietHours']) => {
    if ((await run(() => api.channels.setPreferences({ quietHours: next }))) === null) return;
    toast(next === null ? 'No quiet hours' : `Quiet from ${next.from} to ${next.to}`);
    onChanged();
  };
  return (
    <Panel title="Quiet hours">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save({ from, to, timeZone: zone.trim() });
        }}
      >
        <TextField label="From" type="time" required value={from} onChange={setFrom} />
        <TextField label="To" type="time" required value={to} onChange={setTo} />
        <TextField label="Time zone" value={zone} onChange={setZone} />
        <Button type="submit" isBusy={busy} disabled={zone.trim() === ''}>
          {hours === null ? 'Turn on' : 'Save'}
        </Button>
        {hours === null ? null : (
          <Button kind="quiet" isBusy={busy} onClick={() => void save(null)}>
            Turn off
          </Button>
        )}
      </form>
      <Refused error={error} />
    </Panel>
  );
}
