import { criterionLine, deviationLine } from '@attractor/api';
import { FileDiff } from 'lucide-react';
import { Link } from 'wouter';
import { useTaskList } from '../data/task-list.ts';
import { buttonClass } from '../ui/button.tsx';
import { showControls } from '../ui/plain-text.ts';
import { Decisions } from './decisions.tsx';
import { useOpened } from './opened-change.ts';
import type { PromptFormProps } from './prompt-form.ts';

/** The work is on a branch: accept it, or say what is missing. */
export function ReviewForm(props: PromptFormProps<'review'>) {
  const { branch, part, todo = [], deviations = [] } = props.prompt.payload;
  const { onMerge, ...rest } = props;
  const isOpened = useOpened(props.prompt.taskId);
  return (
    <div className="flex flex-col gap-3">
      {typeof branch === 'string' ? (
        <p className="text-sm">
          The work is on branch <code className="font-mono">{showControls(branch)}</code>.
        </p>
      ) : null}
      <ToChanges prompt={props.prompt} {...(props.changesPath === undefined ? {} : { path: props.changesPath })} />
      {todo.length + deviations.length > 0 ? (
        <ul aria-label="The plan and the work" className="flex flex-col gap-1 text-sm">
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
      <Decisions
        {...rest}
        isSecond={!isOpened && props.changesPath !== undefined}
        {...(part === true || onMerge === undefined ? {} : { onMerge })}
        approve="Approve"
      />
    </div>
  );
}

/** Approving without a look is possible, and said. */
function ToChanges({ prompt, path }: { readonly prompt: PromptFormProps<'review'>['prompt']; readonly path?: string }) {
  const isOpened = useOpened(prompt.taskId);
  const list = useTaskList();
  const files = list.state === 'ready' ? (list.value.rows[prompt.taskId]?.change?.files ?? 0) : 0;
  if (path === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Link href={path} className={buttonClass(isOpened ? 'plain' : 'primary')}>
        <FileDiff size={15} aria-hidden />
        {files === 0 ? 'Review the change' : `Review ${files} ${files === 1 ? 'file' : 'files'}`}
      </Link>
      {isOpened ? null : <span className="text-sm text-wait">You have not opened the change yet.</span>}
    </div>
  );
}
