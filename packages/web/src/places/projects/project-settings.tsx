import { PERMISSION_MODES, type Project } from '@attractor/api';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { projectConfig, type ProjectDraft, projectDraft, settingValue, showControls } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

const UNSET = { value: '', label: 'Default' };
const APPROVERS = [
  UNSET,
  { value: 'anyone', label: 'Anyone allowed to approve' },
  { value: 'another', label: 'Someone other than who asked for it' },
];

/** What people chose for every run of the project. */
export function ProjectSettings({ project }: { readonly project: Project }) {
  const [draft, setDraft] = useState(() => projectDraft(project));
  const { busy, error, run } = useCommand();
  const set = (change: Partial<ProjectDraft>) => setDraft({ ...draft, ...change });
  const save = async () => {
    if ((await run(() => api.projects.update(project.id, { config: projectConfig(draft) }))) !== null)
      toast(showControls(`Saved for ${project.name}`));
  };
  return (
    <For least="admin" what="change what runs of this project get">
      <form
        aria-label={`Settings of ${showControls(project.name)}`}
        className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fields draft={draft} set={set} />
        <Button type="submit" isBusy={busy} className="justify-self-start">
          Save
        </Button>
      </form>
      <Refused error={error} />
    </For>
  );
}

type FieldsProps = { readonly draft: ProjectDraft; readonly set: (change: Partial<ProjectDraft>) => void };

function Fields({ draft, set }: FieldsProps) {
  const agents = useAnswer(['agents'], () => api.agents.list());
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  const known = agents.state === 'ready' ? agents.value : [];
  const ways = pipelines.state === 'ready' ? pipelines.value : [];
  return (
    <>
      <ChoiceField
        label="Permission mode"
        value={draft.permissionMode}
        choices={[
          UNSET,
          ...PERMISSION_MODES.map((mode) => ({ value: mode, label: settingValue('permissionMode', mode) })),
        ]}
        onChange={(permissionMode) => set({ permissionMode })}
      />
      <ChoiceField
        label="Agent"
        value={draft.defaultAgentType}
        choices={withOwn(
          known.map(({ type, displayName }) => ({ value: type, label: displayName })),
          draft.defaultAgentType,
        )}
        onChange={(defaultAgentType) => set({ defaultAgentType })}
      />
      <ChoiceField
        label="Pipeline of new tasks"
        value={draft.defaultPipeline}
        choices={withOwn(
          ways.map(({ id, name }) => ({ value: id, label: name })),
          draft.defaultPipeline,
        )}
        onChange={(defaultPipeline) => set({ defaultPipeline })}
      />
      <ChoiceField
        label="Who approves"
        value={draft.approver}
        choices={APPROVERS}
        onChange={(approver) => set({ approver })}
      />
      <TextField
        label="Runs at once, at most"
        inputMode="numeric"
        value={draft.most}
        placeholder="As the queue allows"
        onChange={(most) => set({ most: most.replaceAll(/\D/g, '') })}
      />
    </>
  );
}

type Choices = ReadonlyArray<{ readonly value: string; readonly label: string }>;

/** What is set stays a choice, also if nobody here knows it. */
function withOwn(known: Choices, own: string): Choices {
  const shown = known.map(({ value, label }) => ({ value, label: showControls(label) }));
  const isKnown = own === '' || known.some(({ value }) => value === own);
  return [UNSET, ...shown, ...(isKnown ? [] : [{ value: own, label: showControls(own) }])];
}
