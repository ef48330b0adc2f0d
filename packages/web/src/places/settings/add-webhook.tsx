import { useState } from 'react';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** An address that is called when something happens; Slack and Telegram are set up with `attractor channels`. */
export function AddWebhook({ onAdded }: { readonly onAdded: () => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, error, run } = useCommand();
  const add = async () => {
    const saved = await run(() =>
      api.channels.save({ name: name.trim(), channel: { type: 'webhook', url: url.trim() } }),
    );
    if (saved === null) return;
    setName('');
    setUrl('');
    setSecret(saved.secret);
    onAdded();
  };
  return (
    <Panel title="Add an address">
      <form
        className="grid items-end gap-3 sm:grid-cols-[1fr_2fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField label="Name" value={name} maxLength={40} onChange={setName} />
        <TextField label="Address" type="url" value={url} placeholder="https://" onChange={setUrl} />
        <Button type="submit" disabled={busy || name.trim() === '' || url.trim() === ''}>
          Add
        </Button>
      </form>
      {secret === null ? null : (
        <p className="mt-2 text-sm" role="status">
          Its secret, shown this once: <code className="font-mono break-all">{secret}</code>
        </p>
      )}
      <Refused error={error} />
    </Panel>
  );
}
