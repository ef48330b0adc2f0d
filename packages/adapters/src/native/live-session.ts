import type { AgentSession } from '@attractor/agent';
import { defined } from '@attractor/base';
import { eventOf, type FileJournal, type JournalRecord } from '@attractor/journal';
import type { AgentChanges, PersonMessage } from '../agent.ts';
import type { openPersonMessages } from './person-messages.ts';
import { type Input, modeOf } from './session-options.ts';

/** A session that works now, as people reach it from outside. */
export type LiveSession = {
  readonly steer: (message: PersonMessage) => void;
  readonly adjust: (changes: AgentChanges) => void;
};

type Parts = {
  readonly session: AgentSession;
  readonly journal: FileJournal;
  readonly messages: ReturnType<typeof openPersonMessages>;
};

export function liveSession(input: Input, { session, journal, messages }: Parts): LiveSession {
  return {
    steer: (message) => {
      if (!messages.isNew(message)) return;
      session.steer(message.text, message.key);
      journal.sync();
    },
    adjust: ({ model, effort, permissionMode }) => {
      if (model !== undefined || effort !== undefined) session.configure(defined({ model, reasoningEffort: effort }));
      if (permissionMode !== undefined) session.setMode(modeOf(input, permissionMode).mode);
    },
  };
}

/** What a conversation was last changed to, where the run asks for something else by now. */
export function staleChanges(past: ReadonlyArray<JournalRecord>, { config }: Input): AgentChanges {
  let last: AgentChanges = {};
  for (const record of past) {
    const event = eventOf(record);
    if (event?.kind !== 'CONFIGURED') continue;
    last = { ...last, ...defined({ model: event.model, effort: event.reasoningEffort ?? undefined }) };
  }
  return defined({
    model: last.model === undefined || last.model === config.model ? undefined : config.model,
    effort: last.effort === undefined || last.effort === config.effort ? undefined : config.effort,
  });
}
