import { planText } from '@attractor/pipeline';
import { createRedactor } from '@attractor/redact';
import { type Collected, readWork } from '@attractor/repository';
import { resultOf, type RunContext } from '../run-context/run-context.ts';

/** The branch, the commits of this run and the whole change over the base, as far as they can be read. */
export function collectChange(context: RunContext, head: string): Promise<Collected> {
  const { worktree } = resultOf(context, 'prepare');
  const redact = createRedactor({ secrets: context.services.secrets }).text;
  return readWork({ run: context.state.run, worktree, phaseId: phaseOf(context), redact }, head);
}

/** What a designing or investigating agent wrote. */
export async function collectDocument(context: RunContext): Promise<Collected> {
  const { run } = context.state;
  const { payload, talk } = resultOf(context, 'validate');
  const content = planText({ payload, result: talk.result });
  if (content === null) return { artifacts: [], problems: [], change: null };
  const docType = run.mode === 'design' ? 'technical_design' : 'analysis';
  const document = {
    taskId: run.taskId,
    runId: run.id,
    key: `document:${run.id}`,
    type: 'document',
    label: docType,
    url: null,
    content,
    metadata: { docType },
    phaseId: phaseOf(context),
  } as const;
  return { artifacts: [document], problems: [], change: null };
}

function phaseOf({ request }: RunContext): string | null {
  const { phaseId } = request.hookParams;
  return typeof phaseId === 'string' ? phaseId : null;
}
