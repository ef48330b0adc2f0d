import { Markdown } from '../ui/markdown.tsx';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** The plan as it will be carried out. */
export function PlanApproval(props: PromptFormProps<'plan_approval'>) {
  const { plan } = props.prompt.payload;
  return (
    <div className="flex flex-col gap-3">
      <div className="max-h-[28rem] overflow-y-auto rounded-md border border-line px-4 py-3">
        <Markdown text={plan ?? 'The plan is empty.'} />
      </div>
      <Decisions {...props} approve="Approve plan" />
    </div>
  );
}
