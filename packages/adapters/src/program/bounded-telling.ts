import type { AgentMessageBody } from '../agent.ts';

/** The limit for all messages of one start; more is only in the output's file. */
const MAX_TOLD = 8 << 20;

/** A flood of output must not fill the log that everybody reads. */
export function boundTelling(tell: (body: AgentMessageBody) => void): (body: AgentMessageBody) => void {
  let left = MAX_TOLD;
  return (body) => {
    // What was spent counts, however much was said.
    if (body.kind === 'usage') return tell(body);
    if (left <= 0) return;
    left -= JSON.stringify(body).length;
    if (left > 0) tell(body);
    else
      tell({ kind: 'notice', level: 'warning', text: 'There is more output than is shown; it is kept with the run.' });
  };
}
