import { criterionLine, deviationLine, keyOf, type TaskRow } from '@attractor/api';
import { FileDiff } from 'lucide-react';
import { Link } from 'wouter';
import { useTaskList } from '../data/task-list.ts';
import { ChecksLine } from '../run/checks-line.tsx';
import { counted, showControls } from '@attractor/api/shown';
import { buttonClass } from '../ui/button.tsx';
import { Decisions } from './decisions.tsx';
import { useOpened } from './opened-change.ts';
import type { PromptFormProps } from './prompt-form.ts';

/** The work is on a branch: accept it, or say what is missing. */
export function ReviewForm(props: PromptFormProps<'review'>) {
  const { part } = props.prompt.payload;
  const { onMerge, ...rest } = props;
  const isOpened = useOpened(props.prompt.taskId);
  return (
    <div className="flex flex-col gap-3">
      <Work prompt={props.prompt} />
      <ToChanges prompt={props.prompt} {...(props.changesPath === undefined ? {} : { path: props.changesPath })} />
      <PlanAndWork prompt={props.prompt} />
      <Decisions
        {...rest}
        isSecond={!isOpened && props.changesPath !== undefined}
        {...(part === true || onMerge === undefined ? {} : { onMerge })}
        approve="Approve"
      />
    </div>
  );
}

type OfReview = { readonly prompt: PromptFormProps<'review'>['prompt'] };

/** What the plan promised, and where the work went another way. */
export function PlanAndWork({ prompt }: OfReview) {
  const { todo = [], deviations = [] } = prompt.payload;
  if (todo.length + deviations.length === 0) return null;
  return (
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
  );
}

/** Where the work is, how much it is, and what the checks say of it. */
export function Work({ prompt }: OfReview) {
  const { branch } = prompt.payload;
  const row = useTaskRow(prompt.taskId);
  const change = row?.change ?? null;
  if (typeof branch !== 'string') return null;
  return (
    <div className="text-sm">
      <p>
        {change === null ? 'The work is' : `${counted(change.files, 'file')}, `}
        {change === null ? null : (
          <span className="tabular-nums">
            <span className="text-good">+{change.additions}</span> <span className="text-bad">−{change.deletions}</span>
          </span>
        )}{' '}
        on branch <code className="font-mono wrap-anywhere">{showControls(branch)}</code>
      </p>
      {row === undefined ? null : (
        <ChecksLine checks={row.run?.checks ?? []} path={`/tasks/${keyOf(row.task)}?tab=checks`} />
      )}
    </div>
  );
}

function useTaskRow(taskId: string): TaskRow | undefined {
  const list = useTaskList();
  return list.state === 'ready' ? list.value.rows[taskId] : undefined;
}

/** Approving without a look is possible, and said. */
function ToChanges({ prompt, path }: OfReview & { readonly path?: string }) {
  const isOpened = useOpened(prompt.taskId);
  const files = useTaskRow(prompt.taskId)?.change?.files ?? 0;
  if (path === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Link href={path} className={buttonClass(isOpened ? 'plain' : 'primary')}>
        <FileDiff size={15} aria-hidden />
        {files === 0 ? 'Review the change' : `Review ${counted(files, 'file')}`}
      </Link>
      {isOpened ? null : <span className="text-sm text-wait">You have not opened the change yet.</span>}
    </div>
  );
}
