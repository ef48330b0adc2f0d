import { defined } from '@attractor/base';
import type { ApprovalTerminal } from './tool-approval.ts';

/** The person's own terminal. */
export async function clackTerminal(): Promise<ApprovalTerminal> {
  const clack = await import('@clack/prompts');
  return {
    note: (text, title) => clack.note(text, title, { format: (line) => line }),
    choose: async (message, options) => {
      const choice = await clack.select<string>({ message, options: options.map((option) => ({ ...option })) });
      return clack.isCancel(choice) ? null : choice;
    },
    text: async (message, initial) => {
      const text = await clack.text({ message, ...defined({ initialValue: initial }) });
      return clack.isCancel(text) ? null : (text ?? '');
    },
  };
}
