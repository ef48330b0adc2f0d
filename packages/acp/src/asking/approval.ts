import type { PermissionOption, ToolCallContent } from '@agentclientprotocol/sdk/unstable';
import type { Approve, ExecutionEnvironment } from '@attractor/agent';
import type { ApprovalAnswer, ApprovalRequest, RuleSuggestion } from '@attractor/policy';
import { ownNameOf } from '@attractor/tool-table';
import type { Editor } from '../editor/editor.ts';
import type { Telling } from '../telling/telling.ts';
import { diffContent, fenced, textContent, toolCallOf, touchedFiles } from '../telling/tool-call.ts';

export type AskingPlace = {
  readonly editor: Editor;
  readonly telling: Telling;
  readonly folder: string;
  /** What is in a file now; null: nothing that can be shown. */
  readonly textOf: (file: string) => Promise<string | null>;
};

/** Puts a call before the person at the editor, with what exactly it would do. No answer is a refusal. */
export function approveInEditor(place: AskingPlace): Approve {
  const { editor, telling, folder } = place;
  return async (request, { signal }) => {
    const { toolCallId, toolName, input, contentHash, suggestions } = request;
    const call = { toolCallId, toolName, args: input };
    const content = await contentOf(request, place);
    telling.announce(call, content);
    const toolCall = { ...toolCallOf(call, folder), status: 'pending' as const, content: [...content] };
    const chosen = await editor.choose({ toolCall, options: optionsOf(suggestions) }, signal);
    return { ...answerOf(chosen, suggestions), contentHash };
  };
}

const ALLOW = 'allow';
const REJECT = 'reject';

function optionsOf(suggestions: ReadonlyArray<RuleSuggestion>): PermissionOption[] {
  return [
    { optionId: ALLOW, name: 'Allow', kind: 'allow_once' },
    ...suggestions.map(({ rules, destination, file }) => ({
      optionId: `${ALLOW}:${destination}`,
      name: `Always allow ${rules.join(', ')}${file === null ? ' in this conversation' : ` (kept in ${file})`}`,
      kind: 'allow_always' as const,
    })),
    { optionId: REJECT, name: 'Reject', kind: 'reject_once' },
  ];
}

function answerOf(chosen: string | null, suggestions: ReadonlyArray<RuleSuggestion>): ApprovalAnswer {
  if (chosen === ALLOW) return { decision: 'approve' };
  const kept = suggestions.find(({ destination }) => chosen === `${ALLOW}:${destination}`);
  if (kept !== undefined)
    return { decision: 'approve', remember: { rules: kept.rules, destination: kept.destination } };
  return { decision: 'reject', ...(chosen === null ? { message: 'The person gave no answer.' } : {}) };
}

type Shown = ApprovalRequest & { readonly shown: string };

async function contentOf(request: Shown, place: AskingPlace): Promise<ReadonlyArray<ToolCallContent>> {
  const { reason, shown } = request;
  const why = reason === undefined || reason === '' ? [] : [textContent(reason)];
  return [...((await diffOf(request, place)) ?? [fenced(shown)]), ...why];
}

/** Null: what it changes can't be shown as a difference of files. */
async function diffOf(
  { toolName, input }: ApprovalRequest,
  { folder, textOf }: AskingPlace,
): Promise<ReadonlyArray<ToolCallContent> | null> {
  const [file] = touchedFiles(toolName, input, folder);
  const { content, old_string: before, new_string: after } = input;
  if (file === undefined) return null;
  if (ownNameOf(toolName) === 'write_file' && typeof content === 'string')
    return [diffContent({ path: file, before: await textOf(file), after: content })];
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  return [diffContent({ path: file, before, after })];
}

/** What a file holds, as the session's tools would read it. */
export function readerOf(environment: () => ExecutionEnvironment | null): AskingPlace['textOf'] {
  return async (file) =>
    (await environment()
      ?.readText(file)
      .catch(() => null)) ?? null;
}
