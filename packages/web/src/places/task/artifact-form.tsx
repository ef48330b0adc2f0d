import type { Artifact } from '@attractor/api';
import { expectedOfName } from '@attractor/base';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** A link, or a document of one of the kinds that the platform knows. */
const TYPES = [
  { value: 'link', label: 'Link' },
  { value: 'analysis', label: 'Analysis' },
  { value: 'technical_design', label: 'Design' },
  { value: 'product_spec', label: 'Specification' },
  { value: 'api_design', label: 'Design of an API' },
  { value: 'test_plan', label: 'Test plan' },
  { value: 'adr', label: 'Decision' },
];

type ArtifactFormProps = {
  readonly taskId: string;
  /** Changed, where one is given. */
  readonly artifact?: Artifact;
  readonly onDone: () => void;
};

/** A link or a document that a person adds to a task, or changes. */
export function ArtifactForm({ taskId, artifact, onDone }: ArtifactFormProps) {
  const { busy, error, run } = useCommand();
  const [type, setType] = useState(artifact?.type === 'document' ? 'analysis' : 'link');
  const [label, setLabel] = useState(artifact?.label ?? '');
  const [url, setUrl] = useState(artifact?.url ?? '');
  const [content, setContent] = useState(artifact?.content ?? '');
  const body = type === 'link' ? { label: label.trim(), url: url.trim() } : { label: label.trim(), content };
  const kind =
    type === 'link' ? ({ type: 'link' } as const) : ({ type: 'document', metadata: { docType: type } } as const);
  const save = async () => {
    const saved = await run(() =>
      artifact === undefined
        ? api.artifacts.add(taskId, { ...kind, ...body })
        : api.artifacts.update(artifact.id, body),
    );
    if (saved !== null) onDone();
  };
  return (
    <form
      className="flex flex-col gap-3 rounded-lg border border-line bg-panel p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-[8rem_1fr]">
        {artifact === undefined ? <ChoiceField label="Kind" value={type} choices={TYPES} onChange={setType} /> : null}
        <NameField label="Name" value={label} longest={500} onChange={setLabel} />
      </div>
      {type === 'link' ? (
        <TextField label="Address" placeholder="https://" value={url} onChange={setUrl} />
      ) : (
        <MessageField label="Text" value={content} onChange={setContent} />
      )}
      <div className="flex gap-2">
        <Button
          type="submit"
          isBusy={busy}
          disabled={expectedOfName(label, 500) !== null || (type === 'link' ? url : content).trim() === ''}
        >
          {artifact === undefined ? 'Add' : 'Save'}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <Refused error={error} />
    </form>
  );
}
