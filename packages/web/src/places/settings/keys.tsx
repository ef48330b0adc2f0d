import type { ApiKey } from '@attractor/api';
import { expectedOfName } from '@attractor/base';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { showControls, showDay } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** Secrets by which programs act for a person. */
export function Keys() {
  const cache = useQueryClient();
  const keys = useAnswer(['keys'], () => api.keys.list());
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [ending, end] = useState<ApiKey | null>(null);
  const { busy, error, run } = useCommand();
  const again = () => void cache.invalidateQueries({ queryKey: ['keys'] });
  const add = async () => {
    const made = await run(() => api.keys.add({ name: name.trim() }));
    if (made === null) return;
    setName('');
    setSecret(made.secret);
    again();
  };
  const revoke = async ({ prefix }: ApiKey) => {
    if ((await run(() => api.keys.revoke(prefix))) === null) return;
    again();
    end(null);
  };
  if (keys.state === 'loading') return <Loading />;
  if (keys.state === 'failed') return <LoadFailed error={keys.error} again={keys.again} />;
  return (
    <>
      <Panel title="New key">
        <form
          className="flex items-end gap-3 [&>label]:w-80"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <NameField label="Name" value={name} longest={100} onChange={setName} />
          <Button type="submit" isBusy={busy} disabled={expectedOfName(name, 100) !== null}>
            Make a key
          </Button>
        </form>
        {secret === '' ? null : <ShownOnce label="Shown this once" text={secret} />}
        {ending === null ? <Refused error={error} /> : null}
      </Panel>
      <KeyTable keys={keys.value} busy={busy} onRevoke={end} />
      {ending === null ? null : (
        <Confirm
          title={`Revoke ${showControls(ending.name)}`}
          act="Revoke"
          busy={busy}
          error={error}
          onConfirm={() => void revoke(ending)}
          onClose={() => end(null)}
        >
          Whatever uses it is refused at once, and the key never works again.
        </Confirm>
      )}
    </>
  );
}

type KeyTableProps = {
  readonly keys: ReadonlyArray<ApiKey>;
  readonly busy: boolean;
  readonly onRevoke: (key: ApiKey) => void;
};

function KeyTable({ keys, busy, onRevoke }: KeyTableProps) {
  if (keys.length === 0) return <p className="text-sm text-soft">There is no key yet.</p>;
  return <Table label="API keys" rows={keys} keyOf={({ prefix }) => prefix} columns={columnsOf(busy, onRevoke)} />;
}

function columnsOf(busy: boolean, onRevoke: (key: ApiKey) => void): ReadonlyArray<TableColumn<ApiKey>> {
  return [
    { name: 'Name', show: ({ name }) => showControls(name) },
    { name: 'Key', show: ({ prefix }) => <code className="font-mono">{prefix}…</code> },
    { name: 'For', show: ({ user, role }) => showControls(`${user} (${role})`) },
    { name: 'Last used', show: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} />) },
    { name: 'Ends', show: ({ expiresAt }) => (expiresAt === null ? 'never' : showDay(expiresAt)) },
    {
      name: 'State',
      show: (key) =>
        key.revokedAt === null ? (
          <Button isBusy={busy} aria-label={`Revoke ${showControls(key.name)}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        ) : (
          'revoked'
        ),
    },
  ];
}
