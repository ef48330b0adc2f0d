import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** The open issues of the project's forge; asked for when somebody wants them, since that leaves the machine. */
export function ProjectIssues({ projectId }: { readonly projectId: string }) {
  const [isAsked, ask] = useState(false);
  return isAsked ? <Issues projectId={projectId} /> : <Button onClick={() => ask(true)}>Look for open issues</Button>;
}

function Issues({ projectId }: { readonly projectId: string }) {
  const issues = useAnswer(['issues', projectId], () => api.issues.list(projectId));
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set());
  const { busy, error, run } = useCommand();
  if (issues.state === 'loading') return <Loading />;
  if (issues.state === 'failed') return <LoadFailed error={issues.error} again={issues.again} />;
  if (issues.value.length === 0) return <p className="text-sm text-soft">There are no open issues.</p>;
  const turn = (number: number) => {
    const next = new Set(chosen);
    if (!next.delete(number)) next.add(number);
    choose(next);
  };
  const make = async () => {
    const made = await run(() => api.issues.import(projectId, { numbers: [...chosen] }));
    if (made === null) return;
    choose(new Set());
    toast(`${made.imported.length} ${made.imported.length === 1 ? 'task' : 'tasks'} made`);
  };
  return (
    <div className="flex flex-col gap-1">
      <ul className="text-sm">
        {issues.value.map(({ number, title }) => (
          <li key={number}>
            <CheckField
              label={`#${number} ${showControls(title)}`}
              isOn={chosen.has(number)}
              onChange={() => turn(number)}
            />
          </li>
        ))}
      </ul>
      <For least="operator" what="make tasks of issues">
        <div>
          <Button isBusy={busy} disabled={chosen.size === 0} onClick={() => void make()}>
            Make {chosen.size === 1 ? 'a task' : `${chosen.size} tasks`}
          </Button>
        </div>
      </For>
      <Refused error={error} />
    </div>
  );
}
