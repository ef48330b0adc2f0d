import type { Project, Schedule, ScheduleBody } from '@attractor/api';
import { expectedOfName } from '@attractor/base';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useHidden } from '../../data/hidden.ts';
import { For } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { holdBack } from '../../undo/hold-back.ts';
import { cronWords, showControls, showDay, typeset } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** What the clock does in a project. */
export function Schedules({ project }: { readonly project: Project }) {
  useAfterLog(['schedules', project.id]);
  const schedules = useAnswer(['schedules', project.id], () => api.schedules.list({ projectId: project.id }));
  const hidden = useHidden();
  if (schedules.state === 'loading') return <Loading />;
  if (schedules.state === 'failed') return <LoadFailed error={schedules.error} again={schedules.again} />;
  const shown = schedules.value.filter(({ id }) => !hidden.has(id));
  return (
    <div className="flex flex-col gap-3 text-sm">
      <ul className="flex flex-col gap-2">
        {shown.map((schedule) => (
          <ScheduleLine key={schedule.id} schedule={schedule} onChanged={schedules.again} />
        ))}
        {shown.length === 0 ? <li className="text-soft">There are no schedules.</li> : null}
      </ul>
      <For least="operator" what="make schedules">
        <ScheduleForm projectId={project.id} onSaved={schedules.again} />
      </For>
    </div>
  );
}

type ScheduleLineProps = { readonly schedule: Schedule; readonly onChanged: () => void };

function ScheduleLine({ schedule, onChanged }: ScheduleLineProps) {
  const cache = useQueryClient();
  const { busy, error, run } = useCommand();
  const { id, projectId, name, cron, timeZone, isEnabled, action, nextAt, lastResult } = schedule;
  const words = cronWords(cron);
  const same: ScheduleBody = { projectId, name, cron, timeZone, isEnabled, action };
  const turn = async () => {
    if ((await run(() => api.schedules.save({ ...same, id, isEnabled: !isEnabled }))) !== null) onChanged();
  };
  const remove = () =>
    holdBack({
      text: `${name} removed`,
      ids: [id],
      send: (by) => by.schedules.delete(id),
      again: () => cache.invalidateQueries({ queryKey: ['schedules', projectId] }),
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="font-medium break-words">{showControls(name)}</span>
      <span className="break-words text-soft">{actionWords(schedule)}</span>
      <span title={timeZone}>
        {words === null ? null : `${words} `}
        <code className="font-mono text-soft">{showControls(cron)}</code>
      </span>
      <span className="text-soft">{isEnabled ? `next ${showDay(nextAt)}` : 'switched off'}</span>
      {lastResult === null ? null : <span className="break-words text-soft">last: {typeset(lastResult)}</span>}
      <For least="operator">
        <span className="-mx-3 flex gap-1 sm:ml-auto">
          <Button
            kind="quiet"
            isBusy={busy}
            aria-label={`Switch ${showControls(name)} ${isEnabled ? 'off' : 'on'}`}
            onClick={() => void turn()}
          >
            {isEnabled ? 'Switch off' : 'Switch on'}
          </Button>
          <Button kind="quiet" isBusy={busy} aria-label={`Remove ${showControls(name)}`} onClick={remove}>
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
const TIMES = 'Minute, hour, day, month, weekday: 0 9 * * 1-5 is nine o’clock, Monday to Friday';

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
      <NameField label="Make this task on a schedule" value={title} longest={200} onChange={setTitle} />
      <TextField label="When" hint={cronWords(cron) ?? TIMES} value={cron} onChange={setCron} className="font-mono" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-2">
        <Button type="submit" isBusy={busy} disabled={expectedOfName(title, 200) !== null || cron.trim() === ''}>
          Add schedule
        </Button>
        <CheckField label="Start an agent on it" isOn={starts} onChange={setStarts} />
      </div>
      <Refused error={error} />
    </form>
  );
}
