import { useEffect, useRef } from 'react';
import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** The plan as it will be carried out; what a person writes in its place is approved with it. */
export function PlanApproval(props: PromptFormProps<'plan_approval'>) {
  const shown = props.prompt.payload.plan ?? '';
  const [edited, setEdited] = useDraft(`${props.prompt.id}.plan`);
  const isEditing = edited !== '';
  const isChanged = edited.trim() !== '' && edited !== shown;
  const field = useRef<HTMLTextAreaElement>(null);
  const isTurned = useRef(false);
  const turn = () => {
    isTurned.current = true;
    setEdited(isEditing ? '' : shown);
  };
  useEffect(() => {
    if (isEditing && isTurned.current) field.current?.focus();
  }, [isEditing]);
  return (
    <div className="flex flex-col gap-3">
      {isEditing ? (
        <MessageField label="The plan" value={edited} rows={20} isMono field={field} onChange={setEdited} />
      ) : (
        <div className="rounded-md border border-line bg-panel px-4 py-3">
          <Markdown text={shown === '' ? 'The plan is empty.' : shown} />
        </div>
      )}
      <div>
        <Button onClick={turn}>{isEditing ? 'Discard the edits' : 'Edit the plan'}</Button>
      </div>
      <Decisions
        {...props}
        onEdit={turn}
        approve={isChanged ? 'Approve the edited plan' : 'Approve plan'}
        {...(isChanged ? { approval: { plan: edited } } : {})}
      />
    </div>
  );
}
