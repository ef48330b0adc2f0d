import type { AgentSession } from '@attractor/agent';
import type { DeliveredEvent } from '@attractor/journal';

/** The session with the model and the mode that count now, also after they were changed. */
export type FollowedSession = {
  readonly session: AgentSession;
  readonly see: (event: DeliveredEvent) => void;
};

export function followed(opened: AgentSession): FollowedSession {
  let { model, mode } = opened;
  const session: AgentSession = {
    ...opened,
    get model() {
      return model;
    },
    get mode() {
      return mode;
    },
    setMode: (wanted) => {
      mode = wanted;
      opened.setMode(wanted);
    },
  };
  return {
    session,
    see: (event) => {
      if (event.kind === 'CONFIGURED') model = event.model ?? model;
    },
  };
}
