import type { Task, TransitionOption } from '@attractor/api';
import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Refused } from '../ui/notice.tsx';
import { useCommand } from '../ui/use-command.ts';

type TaskActionsProps = { readonly task: Task; readonly waits: boolean };

/** What a person may do now, according to the pipeline; the first is primary. A waiting question is answered first. */
export function TaskActions({ task, waits }: TaskActionsProps) {
  const options = useTransitions(task.id);
  const { busy, error, run } = useCommand();
  const manual = options
    .filter(({ transition }) => transition.trigger.type === 'manual')
    .filter(({ transition }) => !waits || transition.from === '*');
  const primary = manual.find(({ allowed, transition }) => allowed && transition.from !== '*');
  return (
    <div className="flex flex-col items-end gap-1">
      <div className="flex flex-wrap justify-end gap-2">
        {manual.map((option) => (
          <Button
            key={option.transition.id}
            kind={kindOf(option, primary)}
            disabled={busy || !option.allowed}
            title={option.blockedBy.map(({ reason }) => reason).join('\n')}
            onClick={() => void run(() => api.tasks.transition(task.id, { to: option.transition.to }))}
          >
            {option.transition.label}
          </Button>
        ))}
      </div>
      <Refused error={error} />
    </div>
  );
}

function kindOf(option: TransitionOption, primary: TransitionOption | undefined): 'primary' | 'plain' | 'quiet' {
  if (option === primary) return 'primary';
  return option.transition.from === '*' ? 'quiet' : 'plain';
}

/** Loaded once; the actions are remounted for each version of the task. */
function useTransitions(taskId: string): ReadonlyArray<TransitionOption> {
  const [options, setOptions] = useState<ReadonlyArray<TransitionOption>>([]);
  useEffect(() => {
    let gone = false;
    void api.tasks.transitions(taskId).then((answer) => {
      if (answer.ok && !gone) setOptions(answer.value);
    });
    return () => {
      gone = true;
    };
  }, [taskId]);
  return options;
}
