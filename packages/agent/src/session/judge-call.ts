import { defined } from '@attractor/base';
import { isCommand, type Judgement, type PolicyCall, updatePermissions } from '@attractor/policy';
import { whatACallTouches } from '@attractor/tool-table';
import type { PendingToolCall, Permission } from '../tools/dispatch.ts';
import type { RegisteredTool, SessionEvent } from '../types/index.ts';
import type { Run } from './run.ts';

export type PutEvent = (event: SessionEvent) => Promise<void>;

export type RequestedCall = { readonly call: PendingToolCall; readonly tool: RegisteredTool };

/** Judged by the policy in force at that moment: if the policy changes meanwhile, the call is judged again. Null without a policy. */
export async function judged(run: Run, { call, tool }: RequestedCall): Promise<Judgement | null> {
  const { policy } = run;
  if (policy === undefined) return null;
  const readOnly = tool.readOnly === true || tool.judgesItself === true;
  for (;;) {
    const current = policy.current();
    const judgement = await current.judge({ ...contentOf(run, call), readOnly, ...mentioned(run, call) });
    if (policy.current() === current) return judgement;
  }
}

/** Looked up for fetches only, because it reads the whole conversation. */
function mentioned({ isMentioned }: Run, call: PendingToolCall): Pick<PolicyCall, 'isMentioned'> {
  const touch = whatACallTouches(call);
  return touch.kind === 'url' ? { isMentioned: isMentioned(touch.url) } : {};
}

/** What is judged, shown and hashed. For a command this includes the folder that the last command ended in. */
export function contentOf(run: Run, { toolName, args }: Pick<PendingToolCall, 'toolName' | 'args'>): PolicyCall {
  const { workingDir } = run.view();
  return { toolName, args, ...(isCommand(toolName) && workingDir !== '.' ? { workingDir } : {}) };
}

export async function denied(
  put: PutEvent,
  { toolCallId, toolName, args }: PendingToolCall,
  judgement: Judgement,
): Promise<Permission> {
  const { reason, part, rule } = judgement;
  const about = { ...defined({ part }), ...(rule === undefined ? {} : { rule: rule.text }) };
  await put({ kind: 'PERMISSION_DENIED', toolCallId, toolName, args, reason, ...about });
  const what = part === undefined || part === toolName ? toolName : `${toolName}: ${part}`;
  return { output: `Denied: ${what}: ${reason}. Go on without it, or say what you would need.`, isError: true };
}

/** An aborted session answers calls that it did not run; a closed one leaves them open for the next process. */
export function stopped(run: Run): Permission {
  return run.ending() === 'aborted' ? { output: 'Not run: the work was stopped before.', isError: true } : 'halt';
}

/** Changes of permissions that came with an answer, in order. What is not made is told. */
export async function makeUpdates(run: Run, put: PutEvent, updates: ReadonlyArray<unknown> = []): Promise<void> {
  const { policy, ruleFiles: files, environment } = run;
  for (const update of updates) {
    const problem = await updatePermissions({ policy, files, root: environment.workingDirectory() }, update);
    if (problem !== null) await put({ kind: 'WARNING', message: `A change of permissions was not made: ${problem}` });
  }
}
