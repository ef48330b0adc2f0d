import { comparePlan, planItems, type PlanItem, readTodo, stageOf, type WorkSeen } from '@attractor/pipeline';
import { readBranchChange } from '@attractor/repository';
import {
  appendEvents,
  type Criterion,
  findTask,
  type JudgedEvidence,
  listArtifacts,
  listRuns,
  planIn,
} from '@attractor/store';
import { stateOfEvidence } from '../criteria/judge-claims.ts';
import { type EvidenceContext, seeEvidence } from '../criteria/see-evidence.ts';
import { eventOf, resultOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { readCommands } from './read-commands.ts';

type Validated = StepResults['validate'];

/**
 * The work of a run held against the plan that was approved: what is done and what shows it, and where the two differ. It never fails a run:
 * what is not as planned is shown to people.
 */
export async function judgePlan(
  context: RunContext,
  { judged, isChecked }: { readonly judged: StepOutcome<Validated>; readonly isChecked: (command: string) => boolean },
): Promise<StepOutcome<Validated>> {
  const { result } = judged;
  if (result === undefined || context.state.run.mode !== 'implement' || result.outcome !== 'pr_ready') return judged;
  const task = await findTask(context.services.store.read, context.task.id);
  const plan = planIn(task?.plan ?? null);
  if (plan === null) return judged;
  const items = planItems(plan);
  const seen = await look(context, { judged, result, items, isChecked });
  if (seen === null) return judged;
  const stage = stageOf(context.request.hookParams['stage']);
  const found = comparePlan({ plan, items, stage }, seen);
  const event = eventOf(context, {
    type: 'plan.judged',
    summary: summaryOf(found),
    data: { commit: result.head, ...found },
  });
  return {
    ...judged,
    commit: async (tx, run) => {
      await judged.commit?.(tx, run);
      await appendEvents(tx, [event]);
    },
  };
}

function summaryOf({ items, deviations }: ReturnType<typeof comparePlan>): string {
  const done = items.filter(({ state }) => state === 'shown').length;
  const others = deviations.length === 0 ? 'nothing else' : `${deviations.length} not as planned`;
  return `The plan: ${done} of ${items.length} done, ${others}`;
}

type Looking = {
  readonly judged: StepOutcome<Validated>;
  readonly result: Validated;
  readonly items: ReadonlyArray<PlanItem>;
  readonly isChecked: (command: string) => boolean;
};

/** Null if the change can't be read. */
async function look(context: RunContext, looking: Looking): Promise<WorkSeen | null> {
  const { worktree } = resultOf(context, 'prepare');
  const change = await readBranchChange(worktree.path, { from: worktree.baseCommit, to: looking.result.head });
  if (change === null) return null;
  const commands = await readCommands(context, { folder: worktree.path, isChecked: looking.isChecked });
  return { ...change, commands, claims: await claimsOf(context, looking) };
}

/** What the agent names for entries that neither files nor commands show, held against the commit like evidence for criteria. */
async function claimsOf(
  context: RunContext,
  { judged, result, items }: Looking,
): Promise<ReadonlyMap<number, Pick<Criterion, 'state' | 'detail'>>> {
  const said = readTodo(
    result.payload,
    items.map(({ number }) => number),
  );
  if ('problem' in said || said.claims.length === 0) return new Map();
  const { read } = context.services.store;
  const { head: commit } = result;
  const evidenceContext: EvidenceContext = {
    folder: resultOf(context, 'prepare').worktree.path,
    commit,
    checks: (judged.run?.checks ?? []).filter((check) => check.phase === 'branch' && check.commit === commit),
    refusals: new Map(),
    runs: await listRuns(read, { taskId: context.task.id }),
    artifacts: await listArtifacts(read, context.task.id),
  };
  const claims = new Map<number, Pick<Criterion, 'state' | 'detail'>>();
  for (const { criterion, evidence } of said.claims) {
    const seen: JudgedEvidence[] = [];
    for (const one of evidence) seen.push(await seeEvidence(one, evidenceContext));
    claims.set(criterion, { state: stateOfEvidence(seen), detail: seen.map((one) => one.seen).join('; ') });
  }
  return claims;
}
