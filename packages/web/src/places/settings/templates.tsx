import type { TaskTemplate } from '@attractor/api';
import { expectedOfName } from '@attractor/base';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { useHidden } from '../../data/hidden.ts';
import { api } from '../../data/api.ts';
import { holdBack, sendHeld } from '../../undo/hold-back.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';
import { useCommand } from '../../ui/use-command.ts';

/** What new tasks can begin with. */
export function Templates() {
  const cache = useQueryClient();
  const templates = useAnswer(['templates'], () => api.templates.list());
  const hidden = useHidden();
  const [edited, edit] = useState<TaskTemplate | null>(null);
  const again = () => cache.invalidateQueries({ queryKey: ['templates'] });
  if (templates.state === 'loading') return <Loading />;
  if (templates.state === 'failed') return <LoadFailed error={templates.error} again={templates.again} />;
  return (
    <>
      <Panel title="Templates of tasks" flush>
        <ul className="rows text-sm">
          {templates.value
            .filter(({ id }) => !hidden.has(id))
            .map((template) => (
              <TemplateLine key={template.id} template={template} onEdit={() => edit(template)} onChanged={again} />
            ))}
        </ul>
      </Panel>
      <Panel title={edited === null ? 'New template' : showControls(`Change ${edited.name}`)}>
        <TemplateForm
          key={edited?.id ?? `new ${templates.value.length}`}
          template={edited}
          onSaved={() => {
            edit(null);
            void again();
          }}
        />
      </Panel>
    </>
  );
}

type TemplateLineProps = {
  readonly template: TaskTemplate;
  readonly onEdit: () => void;
  readonly onChanged: () => Promise<unknown>;
};

function TemplateLine({ template, onEdit, onChanged }: TemplateLineProps) {
  const { id, name, description, builtIn } = template;
  const remove = () =>
    holdBack({ text: `${name} removed`, ids: [id], send: (by) => by.templates.delete(id), again: onChanged });
  return (
    <li className="flex flex-wrap items-center gap-x-4">
      <span className="w-full shrink-0 font-medium break-words sm:w-44">{showControls(name)}</span>
      <span className="min-w-40 flex-1 break-words text-soft">{showControls(description)}</span>
      {builtIn ? (
        <span className="text-faint">built in</span>
      ) : (
        <span className="-mx-3 flex gap-1">
          <Button kind="quiet" aria-label={`Change ${showControls(name)}`} onClick={onEdit}>
            Change
          </Button>
          <Button kind="quiet" aria-label={`Remove ${showControls(name)}`} onClick={remove}>
            Remove
          </Button>
        </span>
      )}
    </li>
  );
}

type TemplateFormProps = { readonly template: TaskTemplate | null; readonly onSaved: () => void };

function TemplateForm({ template, onSaved }: TemplateFormProps) {
  const { busy, error, run } = useCommand();
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  const known = pipelines.state === 'ready' ? pipelines.value : [];
  const [name, setName] = useState(template?.name ?? '');
  const [about, setAbout] = useState(template?.description ?? '');
  const [text, setText] = useState(template?.fields.description ?? '');
  const [pipelineId, setPipeline] = useState<string>(template?.fields.pipelineId ?? '');
  const save = async () => {
    const { description: _, pipelineId: __, ...others } = template?.fields ?? {};
    const fields = {
      ...others,
      ...(text.trim() === '' ? {} : { description: text }),
      ...(pipelineId === '' ? {} : { pipelineId }),
    };
    const body = { name: name.trim(), description: about, fields };
    await sendHeld();
    const saved = await run(() => api.templates.save(template === null ? body : { ...body, id: template.id }));
    if (saved !== null) onSaved();
  };
  return (
    <form
      className="grid items-end gap-3 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <NameField label="Name" value={name} longest={200} onChange={setName} />
      <ChoiceField
        label="Pipeline"
        value={pipelineId}
        choices={[
          { value: '', label: 'The project’s' },
          ...known.map(({ id, name: shown }) => ({ value: id, label: showControls(shown) })),
        ]}
        onChange={setPipeline}
      />
      <div className="sm:col-span-2">
        <TextField label="What it is for" value={about} onChange={setAbout} />
      </div>
      <div className="sm:col-span-2">
        <MessageField label="Description of the task" value={text} onChange={setText} />
      </div>
      <div className="flex gap-2">
        <Button type="submit" isBusy={busy} disabled={expectedOfName(name, 200) !== null}>
          {template === null ? 'Add template' : 'Save'}
        </Button>
        {template === null ? null : (
          <Button kind="quiet" onClick={onSaved}>
            Cancel
          </Button>
        )}
      </div>
      <Refused error={error} />
    </form>
  );
}
