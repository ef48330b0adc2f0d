import type { PermissionMode } from '@attractor/policy';
import type { Asks } from '../host.ts';
import { textContent } from '../telling/tool-call.ts';
import type { AskingPlace } from './approval.ts';

/** Shows a plan to the person at the editor. An approval ends plan mode: `begin` is told in which mode the work goes on. */
export function approvePlanInEditor(
  { editor }: Pick<AskingPlace, 'editor'>,
  begin: (mode: PermissionMode) => void,
): Asks['approvePlan'] {
  return async (plan, context) => {
    const toolCall = {
      toolCallId: context?.toolCallId ?? 'plan',
      title: 'Ready to begin?',
      kind: 'switch_mode' as const,
      status: 'pending' as const,
      content: [textContent(plan)],
    };
    const options = CHOICES.map(({ optionId, name, kind }) => ({ optionId, name, kind }));
    const chosen = await editor.choose({ toolCall, options }, context?.signal);
    const mode = CHOICES.find(({ optionId }) => optionId === chosen)?.mode ?? null;
    if (mode === null) return { approved: false };
    begin(mode);
    return { approved: true };
  };
}

const CHOICES = [
  { optionId: 'acceptEdits', name: 'Yes, and edit files without asking', kind: 'allow_always', mode: 'acceptEdits' },
  { optionId: 'default', name: 'Yes, and ask before each change', kind: 'allow_once', mode: 'default' },
  { optionId: 'plan', name: 'No, go on planning', kind: 'reject_once', mode: null },
] as const;
