import { ALL, type ToolRow } from '../row.ts';
import { staysInside } from '../touch.ts';

/** The list of steps. */
export const STEPS = {
  todo_write: {
    does: 'writes the list of steps',
    families: {
      anthropic: { always: 'TodoWrite' },
      openai: { always: 'update_plan' },
      gemini: { always: 'write_todos' },
    },
    use: 'steps',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: [],
    advice: {
      say: 'Keep a list of steps with todo_write when the work has three or more; one is in progress at a time, and a step that is done is marked at once.',
    },
  },
  todo_read: {
    does: 'reads it again',
    families: { ...ALL, anthropic: { always: 'TodoRead' } },
    use: 'steps',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: [],
    needs: 'history',
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
