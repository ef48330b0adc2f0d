import type { TaskRun } from '@attractor/api';
import { showControls } from '@attractor/api/shown';

type RunPickerProps = {
  readonly runs: ReadonlyArray<TaskRun>;
  readonly chosen: ReadonlyArray<string>;
  readonly onChoose: (keys: ReadonlyArray<string>) => void;
};

/** Which runs are shown; at least one stays. */
export function RunPicker({ runs, chosen, onChoose }: RunPickerProps) {
  const turn = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    if (next.length > 0) onChoose(runs.filter(({ run }) => next.includes(run.id)).map(({ run }) => run.key));
  };
  return (
    <div role="group" aria-label="Runs to compare" className="flex flex-wrap gap-2">
      {runs.map(({ run: { id, key, mode, agentType } }) => {
        const isOn = chosen.includes(id);
        return (
          <button
            key={id}
            type="button"
            aria-pressed={isOn}
            onClick={() => turn(id)}
            className={`min-h-control rounded-md border px-2.5 text-sm ${isOn ? 'border-ink bg-panel font-medium' : 'border-edge text-soft hover:bg-well'}`}
          >
            {key} {mode} <span className="text-faint">{showControls(agentType)}</span>
          </button>
        );
      })}
    </div>
  );
}
