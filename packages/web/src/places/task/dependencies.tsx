import type { Task } from '@attractor/api';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For, useMay } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { IconButton } from '../../ui/button.tsx';
import { LineForm } from '../../ui/line-form.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls, typeset } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** What the task waits for, and what waits for it. */
export function Dependencies({ task }: { readonly task: Task }) {
  useAfterLog(['dependencies', task.id]);
  const found = useAnswer(['dependencies', task.id], () => api.dependencies.list(task.id));
  const may = useMay('operator');
  if (found.state !== 'ready') return null;
  const { dependsOn, blocks } = found.value;
  if (dependsOn.length + blocks.length === 0 && !may) return null;
  const add = (other: string) => api.dependencies.add(task.id, other);
  const remove = async (other: Task) => {
    const removed = await api.dependencies.remove(task.id, other.id);
    if (!removed.ok) return toast(typeset(removed.error.message), { isBad: true });
    found.again();
    toast(`No longer waits for ${other.key}`, { undo: () => void add(other.id).then(found.again) });
  };
  return (
    <Panel title="Dependencies">
      <TaskLinks title="Waits for" tasks={dependsOn} onRemove={remove} />
      <TaskLinks title="Holds up" tasks={blocks} />
      <For least="operator">
        <AddDependency add={add} onAdded={found.again} />
      </For>
    </Panel>
  );
}

type TaskLinksProps = {
  readonly title: string;
  readonly tasks: ReadonlyArray<Task>;
  readonly onRemove?: (task: Task) => Promise<void>;
};

function TaskLinks({ title, tasks, onRemove }: TaskLinksProps) {
  if (tasks.length === 0) return null;
  return (
    <div className="mb-2 text-sm">
      <p className="text-soft">{title}</p>
      <ul>
        {tasks.map((task) => (
          <li key={task.id} className="flex min-h-control items-center gap-2">
            <Link href={`/tasks/${task.key}`} className="tap shrink-0 underline underline-offset-2">
              {task.key}
            </Link>
            <span title={showControls(task.title)} className="min-w-0 flex-1 truncate">
              {showControls(task.title)}
            </span>
            {onRemove === undefined ? null : (
              <For least="operator">
                <IconButton label={`No longer wait for ${task.key}`} onClick={() => void onRemove(task)}>
                  <X size={14} aria-hidden />
                </IconButton>
              </For>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

type AddDependencyProps = {
  readonly add: (other: string) => ReturnType<typeof api.dependencies.add>;
  readonly onAdded: () => void;
};

function AddDependency({ add, onAdded }: AddDependencyProps) {
  const [other, setOther] = useState('');
  const { busy, error, run } = useCommand();
  const submit = async () => {
    if ((await run(() => add(other.trim()))) === null) return;
    setOther('');
    onAdded();
  };
  return (
    <>
      <LineForm
        label="Wait for another task"
        placeholder="Its key"
        value={other}
        onChange={setOther}
        act="Add"
        isBusy={busy}
        disabled={other.trim() === ''}
        onSend={() => void submit()}
      />
      <Refused error={error} />
    </>
  );
}
