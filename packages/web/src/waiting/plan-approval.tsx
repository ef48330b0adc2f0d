import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** The plan as it will be carried out; what a person writes in its place is approved with it. */
export function PlanApproval(props: PromptFormProps<'plan_approval'>) {
  const { plan } = props.prompt.payload;
  const shown = plan ?? '';
  const [edited, setEdited] = useState<string | null>(null);
  const isChanged = edited !== null && edited.trim() !== '' && edited !== shown;
  return (
    <div className="flex flex-col gap-3">
      {edited === null ? (
        <div className="max-h-[28rem] overflow-y-auto rounded-md border border-line px-4 py-3">
          <Markdown text={shown === '' ? 'The plan is empty.' : shown} />
        </div>
      ) : (
        <MessageField label="The plan" value={edited} rows={20} onChange={setEdited} />
      )}
      <div>
        <Button onClick={() => setEdited(edited === null ? shown : null)}>
          {edited === null ? 'Edit the plan' : 'Leave it as it was'}
        </Button>
      </div>
      <Decisions
        {...props}
        approve={isChanged ? 'Approve the edited plan' : 'Approve plan'}
        {...(isChanged ? { approval: { plan: edited } } : {})}
      />
    </div>
  );
}
