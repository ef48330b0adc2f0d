import type { Project, TaskTemplate } from '@attractor/api';
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useHidden } from '../../data/hidden.ts';
import { useProject } from '../../data/project.ts';
import { For, useMay, whoMay } from '../../data/role.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Empty, Refused } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import {
  BUDGET_EXPECTED,
  budgetOf,
  EMPTY_DRAFT,
  filledFrom,
  readTaskDraft,
  showControls,
  type TaskDraft,
} from '@attractor/api/shown';
import { useDocked } from '../../ui/use-docked.ts';
import { AttachmentPicker } from './attachment-picker.tsx';
import { useCreateTask } from './use-create-task.ts';

/** What should change, by whom, and within which limits. */
export function NewTaskPlace() {
  const { projects, projectId } = useProject();
  const may = useMay('operator');
  return (
    <div className="mx-auto max-w-[760px]">
      <PageHead title="New task" />
      {!may ? (
        <Empty title="You can look, but change nothing">{whoMay('operator', 'make tasks')}</Empty>
      ) : projects.length === 0 ? (
        <Empty title="Begin with a project">
          <p>A task belongs to a git repository.</p>
          <Link href="/start" className={`${buttonClass('primary')} mt-4`}>
            Begin
          </Link>
        </Empty>
      ) : (
        <NewTaskForm projects={projects} projectId={projectId ?? projects[0]?.id ?? ''} />
      )}
    </div>
  );
}

type FormProps = { readonly projects: ReadonlyArray<Project>; readonly projectId: string };

function NewTaskForm({ projects, projectId }: FormProps) {
  const [kept, keep] = useDraft('new-task');
  const draft: TaskDraft = { ...EMPTY_DRAFT, projectId, ...readTaskDraft(kept) };
  const [files, setFiles] = useState<ReadonlyArray<File>>([]);
  const started = useRef(false);
  const title = useFirstField();
  const docked = useDocked<HTMLDivElement>();
  const [, navigate] = useLocation();
  const { busy, error, create } = useCreateTask();
  const set = (change: Partial<TaskDraft>) => keep(JSON.stringify({ ...draft, ...change }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const task = await create(draft, files, started.current);
    if (task === null) return;
    keep('');
    navigate(`/tasks/${task.key}`);
  };
  const tooMany = draft.title.trim().length - 500;
  const send = { type: 'submit', isBusy: busy, disabled: draft.title.trim() === '' || tooMany > 0 } as const;
  return (
    <form aria-label="New task" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label="What should change?"
        value={draft.title}
        field={title}
        className="h-10"
        onChange={(title) => set({ title })}
        {...problemOf(tooMany)}
      />
      <MessageField
        label="Details (Markdown, optional)"
        rows={7}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <MessageField
        label="Acceptance criteria, one per line (optional)"
        rows={2}
        value={draft.criteria}
        onChange={(criteria) => set({ criteria })}
      />
      <AttachmentPicker files={files} onChange={setFiles} />
      <Choices draft={draft} projects={projects} set={set} />
      <div
        ref={docked}
        className="sticky bottom-14 flex flex-wrap justify-end gap-2 border-t border-line bg-page py-3 md:bottom-0"
      >
        <div className="w-full empty:hidden">
          <Refused error={error} />
        </div>
        <Button {...send} onClick={() => (started.current = false)}>
          Create task
        </Button>
        <Button {...send} kind="primary" onClick={() => (started.current = true)}>
          Create and start
        </Button>
      </div>
    </form>
  );
}

function useFirstField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}

function problemOf(tooMany: number): { readonly problem?: string } {
  if (tooMany <= 0) return {};
  return { problem: `At most 500 characters: ${tooMany} too many. Put the rest into the details.` };
}

type ChoicesProps = {
  readonly draft: TaskDraft;
  readonly projects: ReadonlyArray<Project>;
  readonly set: (change: Partial<TaskDraft>) => void;
};

const AS_SET = { value: '', label: 'The project’s default' };

function Choices({ draft, projects, set }: ChoicesProps) {
  const hidden = useHidden();
  const templates = useAnswer(['templates'], () => api.templates.list());
  const agents = useAnswer(['agents'], () => api.agents.list());
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  const known = agents.state === 'ready' ? agents.value : [];
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <ChoiceField
        label="Project"
        value={draft.projectId}
        choices={projects.map(({ id, name }) => ({ value: id, label: showControls(name) }))}
        onChange={(projectId) => set({ projectId })}
      />
      <TemplateField
        templates={templates.state === 'ready' ? templates.value.filter(({ id }) => !hidden.has(id)) : []}
        value={draft.templateId}
        onChoose={(template) => set(filledFrom(template, draft))}
      />
      <ChoiceField
        label="Pipeline"
        value={draft.pipelineId}
        choices={[
          AS_SET,
          ...(pipelines.state === 'ready' ? pipelines.value : [])
            .filter(({ id }) => !hidden.has(`pipeline ${id}`))
            .map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(pipelineId) => set({ pipelineId })}
      />
      <ChoiceField
        label="Agent"
        value={draft.agentType}
        choices={[
          AS_SET,
          ...known.map(({ type, displayName, available }) => ({
            value: type,
            label: available ? displayName : `${displayName} (not available)`,
          })),
        ]}
        onChange={(agentType) => set({ agentType })}
      />
      <ChoiceField
        label="Priority"
        value={draft.priority}
        choices={['Critical', 'High', 'Medium', 'Low'].map((label) => ({ value: label.toLowerCase(), label }))}
        onChange={(priority) => set({ priority })}
      />
      <BudgetField value={draft.budget} onChange={(budget) => set({ budget })} />
    </div>
  );
}

type BudgetFieldProps = { readonly value: string; readonly onChange: (value: string) => void };

/** Whoever may set budgets gives the task one of its own. */
function BudgetField({ value, onChange }: BudgetFieldProps) {
  const problem = Number.isNaN(budgetOf(value)) ? { problem: BUDGET_EXPECTED } : {};
  return (
    <For least="admin">
      <TextField
        label="Budget in USD (optional)"
        inputMode="decimal"
        value={value}
        hint="The agent stops and asks when it is spent."
        onChange={onChange}
        {...problem}
      />
    </For>
  );
}

type TemplateFieldProps = {
  readonly templates: ReadonlyArray<TaskTemplate>;
  readonly value: string;
  readonly onChoose: (template: TaskTemplate | null) => void;
};

function TemplateField({ templates, value, onChoose }: TemplateFieldProps) {
  return (
    <ChoiceField
      label="Template"
      value={value}
      choices={[
        { value: '', label: 'None' },
        ...templates.map(({ id, name }) => ({ value: id, label: showControls(name) })),
      ]}
      onChange={(id) => onChoose(templates.find((one) => one.id === id) ?? null)}
    />
  );
}
