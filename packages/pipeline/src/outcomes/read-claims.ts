import { isRecord } from '@attractor/base';
import type { Evidence, NewClaim } from '@attractor/store';

export type ReadClaims = { readonly claims: ReadonlyArray<NewClaim> } | { readonly problem: string };

/** The most pieces of evidence for one criterion: each may be a command that is run. */
const MOST_EVIDENCE = 10;

/** One of them says what the evidence is. */
const KINDS = ['check', 'file', 'command', 'run', 'artifact'] as const;
const TEXTS: ReadonlySet<string> = new Set([...KINDS, 'contains', 'sha256']);

/** Where claims stand in a payload, and what they are about. */
type Claimed = { readonly list: string; readonly number: string; readonly about: string };

const CRITERIA: Claimed = { list: 'criteria', number: 'criterion', about: 'criterion' };
const PLANNED: Claimed = { list: 'todo', number: 'item', about: 'entry of the plan' };

/**
 * What an agent claims of the acceptance criteria, in `payload.criteria`: `{ criterion: number, evidence: one or several }`. `numbers` are
 * those that the task has. Without claims there is nothing wrong.
 */
export function readClaims(payload: unknown, numbers: ReadonlyArray<number>): ReadClaims {
  return readList(payload, { numbers, claimed: CRITERIA });
}

/** The same of what the plan says is to be done, in `payload.todo`: `{ item: number, evidence: one or several }`. */
export function readTodo(payload: unknown, numbers: ReadonlyArray<number>): ReadClaims {
  return readList(payload, { numbers, claimed: PLANNED });
}

type Known = { readonly numbers: ReadonlyArray<number>; readonly claimed: Claimed };

function readList(payload: unknown, known: Known): ReadClaims {
  const { list, number, about } = known.claimed;
  const written = isRecord(payload) ? payload[list] : undefined;
  if (written === undefined || written === null) return { claims: [] };
  if (!Array.isArray(written)) return { problem: `payload.${list} has to be a list of { ${number}, evidence }.` };
  const claims: NewClaim[] = [];
  for (const one of written) {
    const read = readClaim(one, known);
    if (typeof read === 'string') return { problem: read };
    if (claims.some(({ criterion }) => criterion === read.criterion))
      return { problem: `The ${about} ${read.criterion} is claimed twice: put all its evidence into one entry.` };
    claims.push(read);
  }
  return { claims };
}

function readClaim(one: unknown, { numbers, claimed: { number, about } }: Known): NewClaim | string {
  const { [number]: criterion, evidence } = isRecord(one) ? one : {};
  if (typeof criterion !== 'number' || !numbers.includes(criterion))
    return `There is no ${about} ${JSON.stringify(criterion) ?? 'without a number'}; the task has ${numbers.join(', ') || 'none'}.`;
  const listed = Array.isArray(evidence) ? evidence : [evidence];
  if (listed.length === 0 || listed.length > MOST_EVIDENCE)
    return `The ${about} ${criterion} needs evidence: from one to ${MOST_EVIDENCE} pieces.`;
  const problem = listed.map(evidenceProblem).find((found) => found !== null);
  if (problem !== undefined) return `The evidence for the ${about} ${criterion}: ${problem}`;
  return { criterion, evidence: listed.filter(isEvidence) };
}

function evidenceProblem(value: unknown): string | null {
  if (!isRecord(value)) return 'it has to be an object.';
  const kinds = KINDS.filter((kind) => value[kind] !== undefined);
  if (kinds.length !== 1) return `it has to name exactly one of ${KINDS.join(', ')}.`;
  for (const [name, field] of Object.entries(value)) {
    const fits = name === 'line' ? Number.isInteger(field) && Number(field) > 0 : isFilledText(name, field);
    if (!fits) return `"${name}" is not a field of evidence, or not a text.`;
  }
  return null;
}

function isFilledText(name: string, field: unknown): boolean {
  return TEXTS.has(name) && typeof field === 'string' && field.trim() !== '' && field.length <= 2000;
}

/** Called only if `evidenceProblem` found nothing. */
function isEvidence(value: unknown): value is Evidence {
  return isRecord(value);
}
