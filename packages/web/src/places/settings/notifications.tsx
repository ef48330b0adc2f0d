import type { ChannelView } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { useHidden } from '../../data/hidden.ts';
import { api } from '../../data/api.ts';
import { holdBack } from '../../undo/hold-back.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';
import { useCommand } from '../../ui/use-command.ts';
import { AddChannel } from './add-channel.tsx';
import { Deliveries } from './deliveries.tsx';
import { QuietHours } from './quiet-hours.tsx';

/** The ways in which people are told. */
export function Notifications() {
  const settings = useAnswer(['channels'], () => api.channels.settings());
  const hidden = useHidden();
  const cache = useQueryClient();
  if (settings.state === 'loading') return <Loading />;
  if (settings.state === 'failed') return <LoadFailed error={settings.error} again={settings.again} />;
  const { quietHours, kinds } = settings.value;
  const channels = settings.value.channels.filter(({ name }) => !hidden.has(hiddenId(name)));
  return (
    <>
      {channels.length === 0 ? (
        <Empty title="Nobody is notified yet">
          Add a channel below: it says what waits for a person, with the command for each answer.
        </Empty>
      ) : null}
      {channels.map((channel) => (
        <Channel
          key={channel.name}
          channel={channel}
          onChanged={() => cache.invalidateQueries({ queryKey: ['channels'] })}
        />
      ))}
      <AddChannel kinds={kinds} taken={channels.map(({ name }) => name)} onAdded={settings.again} />
      <QuietHours key={JSON.stringify(quietHours)} hours={quietHours} onChanged={settings.again} />
      <Deliveries />
    </>
  );
}

/** A channel has no other id. */
function hiddenId(name: string): string {
  return `channel ${name}`;
}

type ChannelProps = { readonly channel: ChannelView; readonly onChanged: () => Promise<unknown> };

function Channel({ channel, onChanged }: ChannelProps) {
  const { name, displayName, enabled, available, failing, target } = channel;
  const { busy, error, run } = useCommand();
  const [isSent, setSent] = useState(false);
  const test = async () => setSent((await run(() => api.channels.test(name))) !== null);
  const remove = () =>
    holdBack({
      text: `${name} removed`,
      ids: [hiddenId(name)],
      send: (by) => by.channels.remove(name),
      again: onChanged,
    });
  return (
    <Panel title={showControls(name)}>
      <p className="text-sm wrap-anywhere text-soft">
        {showControls(displayName)} to {showControls(target)}
        {enabled ? '' : ', switched off'}
        {available ? '' : ', not available here'}
        {failing ? ', failing' : ''}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button isBusy={busy} onClick={() => void test()}>
          Send a trial
        </Button>
        <Button kind="danger" isBusy={busy} onClick={remove}>
          Remove
        </Button>
        {isSent ? <span className="text-sm text-good">Sent</span> : null}
      </div>
      <Refused error={error} />
    </Panel>
  );
}
