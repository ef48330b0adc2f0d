import type { NextStep, TaskState } from '@attractor/api';
import { takeStep } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Refused } from '../ui/notice.tsx';
import { showControls } from '../ui/plain-text.ts';
import { useCommand } from '../ui/use-command.ts';

/** What can be done besides answering questions and the pipeline's own ways; where it needs a terminal, what to type there. */
export function NextSteps({ state }: { readonly state: TaskState }) {
  const { busy, error, run } = useCommand();
  const steps = state.steps.filter(isShownHere);
  if (steps.length === 0) return null;
  return (
    <div className="flex flex-col items-end gap-1">
      <div className="flex flex-wrap justify-end gap-2">
        {steps.map(({ id, label, command, call }) =>
          call === null ? (
            <code key={id} title={label} className="rounded-md bg-well px-2 py-1 font-mono text-[12px] text-soft">
              {showControls(command)}
            </code>
          ) : (
            <Button
              key={id}
              kind="plain"
              disabled={busy}
              title={command}
              onClick={() => void run(() => takeStep(call))}
            >
              {showControls(label)}
            </Button>
          ),
        )}
      </div>
      <Refused error={error} />
    </div>
  );
}

/** The page has its own forms for questions, and its own buttons for the ways of the pipeline. */
function isShownHere({ id, call }: NextStep): boolean {
  return (
    !id.startsWith('move:') &&
    id !== 'close' &&
    id !== 'approve_and_merge' &&
    !(call?.path.startsWith('/api/prompts/') ?? false)
  );
}
