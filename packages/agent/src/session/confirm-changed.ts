import { type ApprovalAnswer, contentHash, type PermissionMode, visible } from '@attractor/policy';
import type { ChangedFiles } from '@attractor/settings';
import type { Approve } from '../contract/session.ts';
import type { SessionView } from '../conversation/view.ts';
import type { SessionEvent } from '../types/index.ts';

export type ConfirmSource = {
  /** Absent: nobody can be asked. */
  readonly approve: Approve | undefined;
  readonly sessionId: string;
  readonly signal: () => AbortSignal;
  readonly mode: () => PermissionMode;
  readonly view: () => SessionView;
  readonly record: (event: SessionEvent) => void;
};

/** Whether a person lets changed files run; `what` runs them, such as a hook or a server. */
export type ConfirmChanged = (what: string, changed: ChangedFiles) => Promise<boolean>;

/**
 * Asks a person about files that changed since they were trusted, in the form in which they are asked about calls, and once for the same
 * bytes: an answer of this session counts after a restart too. Nobody is asked about what can't be shown whole.
 */
export function createConfirmChanged(source: ConfirmSource): ConfirmChanged {
  const asked = new Map<string, Promise<boolean>>();
  return (what, changed) => {
    const changes = source.approve === undefined || source.mode() === 'dontAsk' ? null : changed.changes();
    if (changes === null) return Promise.resolve(false);
    const args = { runs: changed.command, files: changed.files };
    const hash = contentHash({ toolName: TRUST, args });
    const asking = asked.get(hash) ?? confirm(source, { what, changes, args, hash });
    asked.set(hash, asking);
    return asking;
  };
}

/** The name under which a person is asked, in place of a tool's. */
const TRUST = 'trust';

type Asking = {
  readonly what: string;
  readonly changes: string;
  readonly args: Pick<ChangedFiles, 'files'> & { readonly runs: string };
  readonly hash: string;
};

async function confirm(source: ConfirmSource, { what, changes, args, hash }: Asking): Promise<boolean> {
  const { record } = source;
  // The same for every state of these files: a newer one takes the place of an older one that nobody answered.
  const toolCallId = `trust_${contentHash({ toolName: TRUST, args: { runs: args.runs } }).slice(0, 16)}`;
  const given = source.view().approvals[toolCallId];
  if (given?.contentHash === hash) return given.allowed;
  const about = { toolCallId, toolName: TRUST, contentHash: hash };
  record({ kind: 'APPROVAL_REQUESTED', ...about, args });
  const names = Object.keys(args.files).join(', ');
  const answer = await answerOf(source, {
    ...about,
    input: args,
    command: null,
    shown: visible(`${args.runs}\n${changes}`),
    reason: `${names} changed since a person trusted it, and ${what} would run it`,
    suggestions: [],
  });
  if (answer === null) return false;
  const isForThis = answer.contentHash === undefined || answer.contentHash === hash;
  const allowed = answer.decision === 'approve' && isForThis && answer.input === undefined;
  const reason = allowed ? {} : { reason: answer.message ?? 'A person did not allow this.' };
  record({ kind: 'APPROVAL_ANSWERED', toolCallId, allowed, contentHash: hash, ...reason });
  return allowed;
}

/** Null if the session ends before there is an answer. */
async function answerOf(source: ConfirmSource, request: Parameters<Approve>[0]): Promise<ApprovalAnswer | null> {
  const { approve, sessionId } = source;
  const signal = source.signal();
  const ended = Promise.withResolvers<null>();
  const end = (): void => ended.resolve(null);
  signal.addEventListener('abort', end, { once: true });
  const answered = approve?.(request, { sessionId, signal }).catch((): ApprovalAnswer => ({ decision: 'reject' }));
  return Promise.race([answered ?? null, ended.promise]).finally(() => signal.removeEventListener('abort', end));
}

/** Questions of an earlier process that are asked again if they still matter: nobody waits for these. */
export function unansweredBefore({ waiting }: SessionView): ReadonlyArray<SessionEvent> {
  return waiting
    .filter((id) => id.startsWith('trust_'))
    .map((toolCallId) => ({ kind: 'APPROVAL_ANSWERED', toolCallId, allowed: false, reason: 'It is asked again.' }));
}
