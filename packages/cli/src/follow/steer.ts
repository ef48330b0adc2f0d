import type { PlatformWorkflow, SentMessage } from '@attractor/platform';
import type { CtrlC } from '@attractor/console';

export type Steering = {
  readonly workflow: Pick<PlatformWorkflow, 'sendMessage'>;
  readonly taskId: string;
  readonly ctrlC: CtrlC;
  readonly write: (text: string) => void;
  /** Null if the person presses Ctrl-C instead. */
  readonly text: (message: string) => Promise<string | null>;
};

/** After Ctrl-C: what the person says goes to the agent at once, and the work goes on. A second Ctrl-C stops it. */
export async function steer({ workflow, taskId, ctrlC, write, text }: Steering): Promise<void> {
  const told = await text('What should the agent know? (Enter alone: continue as before. Ctrl-C again: stop.)');
  if (told === null) return ctrlC.stop();
  ctrlC.goOn();
  if (told.trim() === '') return write('    Continuing as before.\n');
  const sent = await workflow.sendMessage({ taskId, text: told, interrupts: true }, { type: 'user', name: 'terminal' });
  write(`    ${sent.ok ? DELIVERED[sent.value.delivery] : sent.error.message}\n`);
}

const DELIVERED: Readonly<Record<SentMessage['delivery'], string>> = {
  between_rounds: 'The agent drops what it is doing and continues with this.',
  after_turn: "This agent can't be reached while it works: its turn is stopped, and a new one begins with this.",
  next_run: 'No agent is at work: the next one begins with this.',
};
