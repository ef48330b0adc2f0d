import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import {
  type ProposedPart,
  readDrafts,
  showControls,
  splitApproval,
  type SubtaskDraft,
  subtaskDraft,
} from '@attractor/api/shown';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';
import { SplitEditor } from './split-editor.tsx';

/** The parts that an agent would split the task into, each in full; all of them, some, or what a person made of them become tasks. */
export function SplitForm(props: PromptFormProps<'split_proposal'>) {
  const { reason, subtasks } = props.prompt.payload;
  const [kept, keep] = useDraft(`${props.prompt.id}.split`);
  const [leftText, setLeft] = useDraft(`${props.prompt.id}.left`);
  const edited = kept === '' ? null : readDrafts(kept);
  const left = new Set(leftText === '' ? [] : leftText.split(' '));
  const only = subtasks.map(({ name }) => name).filter((name) => !left.has(name));
  const turn = (name: string) =>
    setLeft((left.has(name) ? [...left].filter((one) => one !== name) : [...left, name]).join(' '));
  const edit = (drafts: ReadonlyArray<SubtaskDraft> | null) => keep(drafts === null ? '' : JSON.stringify(drafts));
  const toggle = () => edit(edited === null ? subtasks.map(subtaskDraft) : null);
  return (
    <div className="flex flex-col gap-3">
      {reason === undefined ? null : <p className="text-sm">{showControls(reason)}</p>}
      {edited === null ? (
        <ol className="flex flex-col gap-2">
          {subtasks.map((subtask) => (
            <li key={subtask.name} className="rounded-md border border-line bg-panel px-4 py-2">
              <label className="flex items-start gap-2 font-semibold pointer-coarse:py-2.5">
                <input
                  type="checkbox"
                  className="mt-1 size-4 shrink-0"
                  checked={!left.has(subtask.name)}
                  onChange={() => turn(subtask.name)}
                />
                <span className="min-w-0 wrap-anywhere">{showControls(subtask.title)}</span>
              </label>
              <SubtaskText subtask={subtask} all={subtasks} />
            </li>
          ))}
        </ol>
      ) : (
        <SplitEditor drafts={edited} onChange={edit} />
      )}
      <div>
        <Button onClick={toggle}>{edited === null ? 'Edit the parts' : 'Discard the edits'}</Button>
      </div>
      <Decisions {...props} onEdit={toggle} reject="Do it in one piece" {...splitApproval(edited, left, only)} />
    </div>
  );
}

function SubtaskText({ subtask, all }: { readonly subtask: ProposedPart; readonly all: ReadonlyArray<ProposedPart> }) {
  const titleOf = (name: string) => all.find((one) => one.name === name)?.title ?? name;
  const { description = '', acceptanceCriteria = [], dependsOn = [], pipelineId, agentType } = subtask;
  const facts = [
    ...(dependsOn.length === 0 ? [] : [`After “${dependsOn.map(titleOf).join('”, “')}”`]),
    ...(pipelineId === undefined ? [] : [`Pipeline ${pipelineId}`]),
    ...(agentType === undefined ? [] : [`Agent ${agentType}`]),
  ];
  return (
    <div className="pl-6 text-sm">
      {facts.length === 0 ? null : <p className="text-faint">{showControls(facts.join(' · '))}</p>}
      {description === '' ? null : <Markdown text={description} />}
      {acceptanceCriteria.length === 0 ? null : (
        <ul className="list-disc pl-5">
          {acceptanceCriteria.map((criterion) => (
            <li key={criterion}>{showControls(criterion)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
