import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { useEveryStatus } from '../../data/use-pipelines.ts';
import { eventWords, showControls, typeset } from '@attractor/api/shown';
import { Panel } from '../../ui/panel.tsx';

const SHOWN = 20;
const STATES = {
  due: 'to be sent',
  held: 'held back',
  sending: 'on its way',
  sent: 'sent',
  given_up: 'given up',
  digested: 'in a digest',
  dropped: 'dropped',
} as const;

/** What was sent lately, and what did not arrive. */
export function Deliveries() {
  useAfterLog(['deliveries']);
  const sent = useAnswer(['deliveries'], () => api.channels.deliveries({ limit: SHOWN }));
  const statuses = useEveryStatus();
  if (sent.state !== 'ready' || sent.value.length === 0) return null;
  return (
    <Panel title="Sent lately" flush>
      <ul className="rows text-sm">
        {sent.value.map(({ id, channel, notification, state, error }) => (
          <li key={id} className="flex flex-wrap gap-x-3">
            <span className="min-w-0 flex-1 break-words max-sm:basis-full">
              {showControls(notification.title)}
              <span className="line-clamp-1 text-faint" title={showControls(notification.body)}>
                {eventWords(notification.body, statuses)}
              </span>
            </span>
            <span className="text-faint">{showControls(channel)}</span>
            <span className={`sm:w-24 sm:text-right ${error === null ? 'text-soft' : 'text-bad'}`}>
              {error !== null && state === 'due' ? 'tried again' : STATES[state]}
            </span>
            {error === null ? null : <span className="w-full break-words text-bad">{typeset(error)}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
