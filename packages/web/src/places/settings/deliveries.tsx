import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '../../ui/plain-text.ts';

const SHOWN = 20;

/** What was sent lately, and what did not arrive. */
export function Deliveries() {
  useAfterLog(['deliveries']);
  const sent = useAnswer(['deliveries'], () => api.channels.deliveries({ limit: SHOWN }));
  if (sent.state !== 'ready' || sent.value.length === 0) return null;
  return (
    <Panel title="Sent lately">
      <ul className="flex flex-col gap-1 text-sm">
        {sent.value.map(({ id, channel, notification, state, error }) => (
          <li key={id} className="flex flex-wrap gap-x-3">
            <span className="text-soft">{showControls(channel)}</span>
            <span className="min-w-0 flex-1 break-words">{showControls(notification.title)}</span>
            <span className={error === null ? 'text-soft' : 'text-bad'}>
              {state}
              {error === null ? '' : `: ${showControls(error)}`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
