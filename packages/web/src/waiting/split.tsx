import { useState } from 'react';
import { Markdown } from '../ui/markdown.tsx';
import { showControls } from '../ui/plain-text.ts';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** The parts that an agent would split the task into, each in full; all of them or some become tasks. */
export function SplitForm(props: PromptFormProps<'split_proposal'>) {
  const { reason, subtasks } = props.prompt.payload;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const only = subtasks.map(({ name }) => name).filter((name) => !left.has(name));
  const turn = (name: string) =>
    setLeft((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]));
  return (
    <div className="flex flex-col gap-3">
      {reason === undefined ? null : <p>{showControls(reason)}</p>}
      <ol className="flex flex-col gap-2">
        {subtasks.map((subtask) => (
          <li key={subtask.name} className="rounded-md border border-line px-4 py-2">
            <label className="flex items-center gap-2 font-semibold">
              <input type="checkbox" checked={!left.has(subtask.name)} onChange={() => turn(subtask.name)} />
              {showControls(subtask.title)}
            </label>
            <SubtaskText subtask={subtask} />
          </li>
        ))}
      </ol>
      <Decisions
        {...props}
        approve={left.size === 0 ? 'Split it like this' : `Make these ${only.length}`}
        reject="Do it in one piece"
        {...(left.size === 0 ? {} : { approval: { only } })}
      />
    </div>
  );
}

type Subtask = PromptFormProps<'split_proposal'>['prompt']['payload']['subtasks'][number];

function SubtaskText({ subtask }: { readonly subtask: Subtask }) {
  const { name, description = '', acceptanceCriteria = [], dependsOn = [], pipelineId, agentType } = subtask;
  const facts = [
    name,
    ...(dependsOn.length === 0 ? [] : [`after ${dependsOn.join(', ')}`]),
    ...(pipelineId === undefined ? [] : [`pipeline ${pipelineId}`]),
    ...(agentType === undefined ? [] : [`agent ${agentType}`]),
  ];
  return (
    <>
      <p className="text-[12px] text-faint">{showControls(facts.join(' · '))}</p>
      {description === '' ? null : <Markdown text={description} />}
      {acceptanceCriteria.length === 0 ? null : (
        <ul className="list-disc pl-5">
          {acceptanceCriteria.map((criterion) => (
            <li key={criterion}>{showControls(criterion)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
