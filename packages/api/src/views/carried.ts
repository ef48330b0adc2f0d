import type { AgentRun, Artifact, CheckResult, PlatformEvent, Project, Prompt, Task } from '@attractor/platform';
import type { TranscriptMessage } from '../messages.ts';

/** Events carry whole values: a view takes the newest of each, whichever event carries it. */
export const carriedTask = ({ data }: PlatformEvent): Task | null => ('task' in data ? data.task : null);

export const carriedProject = ({ data }: PlatformEvent): Project | null => ('project' in data ? data.project : null);

export const carriedRun = ({ data }: PlatformEvent): AgentRun | null => ('run' in data ? data.run : null) ?? null;

export const carriedPrompt = ({ data }: PlatformEvent): Prompt | null => ('prompt' in data ? data.prompt : null);

export const carriedArtifact = ({ data }: PlatformEvent): Artifact | null =>
  ('artifact' in data ? data.artifact : null) ?? null;

export const carriedCheck = ({ data }: PlatformEvent): CheckResult | null => ('check' in data ? data.check : null);

/** A reported silence is shown among the agent's messages, where it occurred. */
export function carriedMessage(event: PlatformEvent): TranscriptMessage | null {
  if (event.type === 'agent.stalled')
    return { key: `stalled:${event.seq}`, kind: 'notice', level: 'warning', text: event.summary };
  return event.type === 'agent.message' ? event.data.message : null;
}
