import type { Project, Schedule, ScheduleBody } from '@attractor/api';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { showDay } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { showControls, typeset } from '../../ui/plain-text.ts';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** What the clock does in a project. */
export function Schedules({ project }: { readonly project: Project }) {
  useAfterLog(['schedules', project.id]);
  const schedules = useAnswer(['schedules', project.id], () => api.schedules.list({ projectId: project.id }));
  if (schedules.state === 'loading') return <Loading />;
  if (schedules.state === 'failed') return <LoadFailed error={schedules.error} again={schedules.again} />;
  return (
    <div className="flex flex-col gap-3 text-sm">
      <ul className="flex flex-col gap-2">
        {schedules.value.map((schedule) => (
          <ScheduleLine key={schedule.id} schedule={schedule} onChanged={schedules.again} />
        ))}
        {schedules.value.length === 0 ? <li className="text-soft">Nothing is done by the clock.</li> : null}
      </ul>
      <For least="operator" what="make schedules">
        <ScheduleForm projectId={project.id} onSaved={schedules.again} />
      </For>
    </div>
  );
}

type ScheduleLineProps = { readonly schedule: Schedule; readonly onChanged: () => void };

function ScheduleLine({ schedule, onChanged }: ScheduleLineProps) {
  const { busy, error, run } = useCommand();
  const { id, projectId, name, cron, timeZone, isEnabled, action, nextAt, lastResult } = schedule;
  const same: ScheduleBody = { projectId, name, cron, timeZone, isEnabled, action };
  const turn = async () => {
    if ((await run(() => api.schedules.save({ ...same, id, isEnabled: !isEnabled }))) !== null) onChanged();
  };
  const remove = async () => {
    if ((await run(() => api.schedules.delete(id))) === null) return;
    onChanged();
    toast(showControls(`${name} removed`), { undo: () => void api.schedules.save(same).then(onChanged) });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="font-medium break-words">{showControls(name)}</span>
      <span className="break-words text-soft">{actionWords(schedule)}</span>
      <code className="font-mono" title={timeZone}>
        {showControls(cron)}
      </code>
      <span className="text-soft">{isEnabled ? `next ${showDay(nextAt)}` : 'switched off'}</span>
      {lastResult === null ? null : <span className="break-words text-soft">last: {typeset(lastResult)}</span>}
      <For least="operator">
        <span className="-mx-3 flex gap-1 sm:ml-auto">
          <Button
            kind="quiet"
            disabled={busy}
            aria-label={`Switch ${showControls(name)} ${isEnabled ? 'off' : 'on'}`}
            onClick={() => void turn()}
          >
            {isEnabled ? 'Switch off' : 'Switch on'}
          </Button>
          <Button
            kind="quiet"
            disabled={busy}
            aria-label={`Remove ${showControls(name)}`}
            onClick={() => void remove()}
          >
            Remove
          </Button>
        </span>
      </For>
      <Refused error={error} />
    </li>
  );
}

function actionWords({ action }: Schedule): string {
  if (action.kind === 'create') return showControls(`makes the task “${action.task.title}”`);
  return action.kind === 'move' ? `moves ${action.taskId} to ${action.to}` : `starts ${action.taskId} (${action.mode})`;
}

/** Times that people mean, and the words of cron for each. */
const TIMES = 'Minute, hour, day, month, weekday: 0 9 * * 1-5 is nine on every weekday';

/** A task that is made again and again; other kinds of schedules are made by `attractor schedules`. */
function ScheduleForm({ projectId, onSaved }: { readonly projectId: string; readonly onSaved: () => void }) {
  const { busy, error, run } = useCommand();
  const [title, setTitle] = useState('');
  const [cron, setCron] = useState('0 9 * * 1-5');
  const [starts, setStarts] = useState(true);
  const save = async () => {
    const saved = await run(() =>
      api.schedules.save({
        projectId,
        name: title.trim(),
        cron: cron.trim(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        action: { kind: 'create', task: { title: title.trim() }, ...(starts ? { start: 'implement' } : {}) },
      }),
    );
    if (saved === null) return;
    setTitle('');
    onSaved();
  };
  return (
    <form
      className="grid items-start gap-3 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField label="Make this task by the clock" value={title} maxLength={200} onChange={setTitle} />
      <TextField label="When" hint={TIMES} value={cron} onChange={setCron} className="font-mono" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-2">
        <Button type="submit" disabled={busy || title.trim() === '' || cron.trim() === ''}>
          Add schedule
        </Button>
        <CheckField label="Start an agent on it" isOn={starts} onChange={setStarts} />
      </div>
      <Refused error={error} />
    </form>
  );
}
