import type { NotifyView } from '@attractor/api';
import { expectedOfChannelName } from '@attractor/base';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { sendHeld } from '../../undo/hold-back.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { showControls } from '@attractor/api/shown';
import { useCommand } from '../../ui/use-command.ts';
import { channelBody, isMissingIn } from '@attractor/api/shown';
import { FreeName, isFree } from './free-name.tsx';

type AddChannelProps = {
  readonly kinds: NotifyView['kinds'];
  readonly taken: ReadonlyArray<string>;
  readonly onAdded: () => void;
};

/** One form for every kind of channel: the server says what each needs. */
export function AddChannel({ kinds, taken, onAdded }: AddChannelProps) {
  const [type, setType] = useState(kinds[0]?.type ?? '');
  const [name, setName] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, error, run } = useCommand();
  const known = { taken, expectedOf: expectedOfChannelName };
  const kind = kinds.find((one) => one.type === type);
  const add = async () => {
    if (kind === undefined) return;
    await sendHeld();
    const saved = await run(() => api.channels.save(channelBody(kind, name, values)));
    if (saved === null) return;
    setName('');
    setValues({});
    setSecret(saved.secret);
    onAdded();
  };
  return (
    <Panel title="Add a channel">
      <form
        className="grid items-start gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <ChoiceField
          label="Kind"
          value={type}
          choices={kinds.map((one) => ({ value: one.type, label: showControls(capital(one.name)) }))}
          onChange={setType}
        />
        <FreeName label="Name" value={name} known={known} refused={null} onChange={setName} />
        <Fields key={type} fields={kind?.fields ?? []} values={values} onChange={setValues} />
        <div>
          <Button
            type="submit"
            isBusy={busy}
            disabled={kind === undefined || !isFree(name, known) || isMissingIn(kind, name, values)}
          >
            Add
          </Button>
        </div>
      </form>
      {secret === null ? null : <ShownOnce label="Its secret, shown only this once" text={secret} />}
      <Refused error={error} />
    </Panel>
  );
}

type FieldsProps = {
  readonly fields: NotifyView['kinds'][number]['fields'];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
};

function Fields({ fields, values, onChange }: FieldsProps) {
  return fields.map(({ field, label, isSecret, isOptional }) => (
    <TextField
      key={field}
      label={isOptional === true ? `${label} (optional)` : label}
      type={isSecret === true ? 'password' : 'text'}
      autoComplete="off"
      value={values[field] ?? ''}
      onChange={(value) => onChange({ ...values, [field]: value })}
    />
  ));
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
