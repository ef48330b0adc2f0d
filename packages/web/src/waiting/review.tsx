import { showControls } from '../ui/plain-text.ts';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** The work is on a branch: accept it, or say what is missing. */
export function ReviewForm(props: PromptFormProps<'review'>) {
  const { branch } = props.prompt.payload;
  return (
    <div className="flex flex-col gap-3">
      {typeof branch === 'string' ? (
        <p>
          The work is on branch <code className="font-mono text-[13px]">{showControls(branch)}</code>.
        </p>
      ) : null}
      <Decisions {...props} approve="Approve" />
    </div>
  );
}
