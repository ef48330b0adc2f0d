import { criterionLine, deviationLine } from '@attractor/api';
import { showControls } from '../ui/plain-text.ts';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** The work is on a branch: accept it, or say what is missing. */
export function ReviewForm(props: PromptFormProps<'review'>) {
  const { branch, part, todo = [], deviations = [] } = props.prompt.payload;
  const { onMerge, ...rest } = props;
  return (
    <div className="flex flex-col gap-3">
      {typeof branch === 'string' ? (
        <p>
          The work is on branch <code className="font-mono text-[13px]">{showControls(branch)}</code>.
        </p>
      ) : null}
      {todo.length + deviations.length > 0 ? (
        <ul aria-label="The plan and the work" className="flex flex-col gap-1 text-[13px]">
          {todo.map((one) => (
            <li key={one.number}>{showControls(criterionLine(one))}</li>
          ))}
          {deviations.map((one) => (
            <li key={`${one.kind} ${one.what}`} className="text-wait">
              Not as planned: {showControls(deviationLine(one))}
            </li>
          ))}
        </ul>
      ) : null}
      <Decisions {...rest} {...(part === true || onMerge === undefined ? {} : { onMerge })} approve="Approve" />
    </div>
  );
}
