import type { RollBackBody, TaskChanges } from '@attractor/api';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For, useMay } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Empty, Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { showControls, typeset, type TaskWorld } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { BranchFacts } from './branch-facts.tsx';

/** What the work changed, commit by commit; all of it, a step or some files can be undone by a new commit. */
export function WorkSteps({ world }: { readonly world: TaskWorld }) {
  const { taskId } = world.task;
  useAfterLog(['changes', taskId]);
  const changes = useAnswer(['changes', taskId], () => api.branches.changes(taskId));
  if (changes.state === 'loading') return <Loading lines={6} />;
  if (changes.state === 'failed')
    return changes.error.code === 'not_found' || changes.error.code === 'blocked' ? (
      <Empty title="There is no work yet">{typeset(changes.error.message)}</Empty>
    ) : (
      <LoadFailed error={changes.error} again={changes.again} />
    );
  if (changes.value.steps.length === 0)
    return (
      <Empty title="Nothing has been committed yet">Each commit of the work appears here, and can be undone.</Empty>
    );
  return <Steps taskId={taskId} changes={changes.value} onChanged={changes.again} />;
}

type StepsProps = { readonly taskId: string; readonly changes: TaskChanges; readonly onChanged: () => void };

function Steps({ taskId, changes, onChanged }: StepsProps) {
  const { busy, error, run } = useCommand();
  const [files, setFiles] = useState<ReadonlySet<string>>(new Set());
  const undo = async (body: RollBackBody) => {
    const done = await run(() => api.branches.rollBack(taskId, body));
    if (done === null) return;
    setFiles(new Set());
    onChanged();
    toast(typeset(done.label));
  };
  const turn = (path: string) => {
    const next = new Set(files);
    if (!next.delete(path)) next.add(path);
    setFiles(next);
  };
  return (
    <div className="flex flex-col gap-3">
      <BranchFacts taskId={taskId} />
      <For least="operator" what="undo work">
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <Button isBusy={busy} onClick={() => void undo(files.size === 0 ? {} : { files: [...files] })}>
            <Undo2 size={14} aria-hidden /> {files.size === 0 ? 'Undo all' : `Undo ${files.size} of the files`}
          </Button>
          <span className="text-soft">A new commit takes it back; nothing is lost.</span>
        </div>
      </For>
      <Refused error={error} />
      <ol className="flex flex-col gap-3">
        {changes.steps.map((step) => (
          <Step key={step.commit} step={step} busy={busy} files={files} onTurn={turn} onUndo={undo} />
        ))}
      </ol>
    </div>
  );
}

type StepProps = {
  readonly step: TaskChanges['steps'][number];
  readonly busy: boolean;
  readonly files: ReadonlySet<string>;
  readonly onTurn: (path: string) => void;
  readonly onUndo: (body: RollBackBody) => Promise<void>;
};

function Step({ step, busy, files, onTurn, onUndo }: StepProps) {
  const may = useMay('operator');
  return (
    <li className="overflow-hidden rounded-lg border border-line bg-panel">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line px-4 py-1 text-sm">
        <span className="text-faint tabular-nums">{step.step}</span>
        <span className="min-w-0 flex-1 font-medium break-words">{showControls(step.title)}</span>
        <span className="hidden text-soft sm:inline">{showControls(step.author)}</span>
        <code className="font-mono text-faint">{step.commit.slice(0, 7)}</code>
        <For least="operator">
          <Button isBusy={busy} aria-label={`Undo step ${step.step}`} onClick={() => void onUndo({ step: step.step })}>
            Undo
          </Button>
        </For>
      </div>
      <ul className="px-4 py-1 text-sm">
        {step.files.map(({ path, additions, deletions }) => (
          <li key={path} className="flex items-center gap-3">
            <span className="min-w-0 flex-1 font-mono wrap-anywhere">
              {may ? (
                <CheckField label={showControls(path)} isOn={files.has(path)} onChange={() => onTurn(path)} />
              ) : (
                showControls(path)
              )}
            </span>
            <span className="tabular-nums">
              <span className="text-good">+{additions}</span> <span className="text-bad">−{deletions}</span>
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}
