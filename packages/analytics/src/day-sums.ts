import { NOTHING, type Reader, type RunUsageRow, type UsedAmount } from '@attractor/store';
import { sql } from 'kysely';

/** Slots: `from` included, `to` excluded. */
export type Span = { readonly from: number; readonly to: number };

/**
 * What the runs of one agent type in one project used of one model within a span. `model: null` has their number whatever they used: a run
 * may use several models. `again` counts those of `runs` that had used something before the span, by the last slot in which they had.
 */
export type SpanSum = {
  readonly projectId: string;
  readonly agentType: string;
  readonly model: string | null;
  readonly runs: number;
  readonly again: ReadonlyArray<readonly [slot: number, runs: number]>;
  readonly used: UsedAmount;
};

/** The sums of each of the spans, which follow one another without a gap. All runs that used something in them are looked at. */
export async function sumSpans(
  db: Reader,
  spans: ReadonlyArray<Span>,
  of: SumsOf = {},
): Promise<ReadonlyArray<ReadonlyArray<SpanSum>>> {
  const [begin, end] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  const query = usesIn(db, { from: begin, to: end }, of)
    .selectAll('run_usage')
    .select([ofRun('project_id').as('project_id'), ofRun('agent_type').as('agent_type')]);
  const last = await lastUses(db, { from: begin, to: end }, of);
  const sums = spans.map(() => new Map<string, Sum>());
  let at = 0;
  let seen = new Set<string>();
  for (const row of await query.orderBy('run_usage.slot').execute()) {
    for (; row.slot >= (spans[at]?.to ?? Infinity); at += 1) seen = new Set();
    for (const model of [row.model, null]) {
      const sum = sumOf(sums[at] ?? new Map<string, Sum>(), row, model);
      if (model !== null) add(sum.used, row);
      const who = keyOf(row.run_id, model);
      const before = last.get(who);
      last.set(who, row.slot);
      if (seen.has(who)) continue;
      seen.add(who);
      sum.runs += 1;
      if (before !== undefined) sum.again.set(before, (sum.again.get(before) ?? 0) + 1);
    }
  }
  return sums.map((ofSpan) => [...ofSpan.values()].map(({ again, ...sum }) => ({ ...sum, again: [...again] })));
}

type Sum = Omit<{ -readonly [Name in keyof SpanSum]: SpanSum[Name] }, 'again'> & {
  readonly again: Map<number, number>;
};

function sumOf(
  sums: Map<string, Sum>,
  { project_id: projectId, agent_type: agentType }: { readonly project_id: string; readonly agent_type: string },
  model: string | null,
): Sum {
  const key = keyOf(`${projectId} ${agentType}`, model);
  const known = sums.get(key) ?? { projectId, agentType, model, runs: 0, again: new Map(), used: { ...NOTHING } };
  sums.set(key, known);
  return known;
}

function keyOf(who: string, model: string | null): string {
  return model === null ? who : `${who}\0${model}`;
}

/** Whose uses are summed up. Absent: everybody's. */
export type SumsOf = { readonly projectId?: string; readonly taskId?: string };

function usesIn(db: Reader, { from, to }: Span, { projectId, taskId }: SumsOf) {
  let query = db.selectFrom('run_usage').where('run_usage.slot', '>=', from).where('run_usage.slot', '<', to);
  if (projectId !== undefined) query = query.where(ofRun('project_id'), '=', projectId);
  if (taskId !== undefined) query = query.where(ofRun('task_id'), '=', taskId);
  return query;
}

/** By its slots each use is found, and by it its run: a join would read all runs that there ever were. */
function ofRun(column: 'project_id' | 'task_id' | 'agent_type') {
  return sql<string>`(select ${sql.ref(`runs.${column}`)} from runs where runs.id = run_usage.run_id)`;
}

/** When the runs that use something in the span did so before it: each model, and any. */
async function lastUses(db: Reader, span: Span, of: SumsOf): Promise<Map<string, number>> {
  // The sign keeps the index of slots out of it: it would find all that ever was.
  const rows = await db
    .selectFrom('run_usage')
    .select(['run_id', 'model', sql<number>`max(slot)`.as('slot')])
    .where(sql<boolean>`+slot < ${span.from}`)
    .where('run_id', 'in', usesIn(db, span, of).select('run_usage.run_id'))
    .groupBy(['run_id', 'model'])
    .execute();
  const last = new Map<string, number>();
  for (const { run_id, model, slot } of rows) {
    last.set(keyOf(run_id, model), slot);
    last.set(run_id, Math.max(slot, last.get(run_id) ?? 0));
  }
  return last;
}

function add(used: { -readonly [Name in keyof UsedAmount]: number }, row: RunUsageRow): void {
  used.calls += row.calls;
  used.inputTokens += row.input_tokens;
  used.outputTokens += row.output_tokens;
  used.cacheReadTokens += row.cache_read_tokens;
  used.cacheWriteTokens += row.cache_write_tokens;
  used.costNano += row.cost_nano;
  used.unpricedCalls += row.unpriced_calls;
}
