import type { ClaimState, Criterion, CriterionClaim, Evidence, JudgedEvidence, NewClaim } from '@attractor/store';
import { seeEvidence, type EvidenceContext } from './see-evidence.ts';

type OpenClaim = {
  readonly criterion: Criterion;
  readonly evidence: ReadonlyArray<Evidence>;
  /** Said by the run that ends now. */
  readonly isNew: boolean;
};

/** What is claimed now: what an agent says, and else what was claimed before. A person's word needs no evidence. */
export function claimsNow(criteria: ReadonlyArray<Criterion>, said: ReadonlyArray<NewClaim>): ReadonlyArray<OpenClaim> {
  return criteria.flatMap((criterion): ReadonlyArray<OpenClaim> => {
    const own = said.find((claim) => claim.criterion === criterion.number);
    if (own !== undefined) return [{ criterion, evidence: own.evidence, isNew: true }];
    if (criterion.claim === null) return [];
    return [{ criterion, evidence: criterion.claim.evidence.map(asClaimed), isNew: false }];
  });
}

function asClaimed({ state: _state, seen: _seen, ...evidence }: JudgedEvidence): Evidence {
  return evidence;
}

type Judging = EvidenceContext & { readonly runId: string | null; readonly at: string };

/** Every claim held against the commit. A claim is shown only if all of its evidence is. */
export async function judgeClaims(
  claims: ReadonlyArray<OpenClaim>,
  judging: Judging,
): Promise<ReadonlyMap<number, { readonly claim: CriterionClaim }>> {
  const judged = new Map<number, { readonly claim: CriterionClaim }>();
  for (const { criterion, evidence, isNew } of claims) {
    const seen: JudgedEvidence[] = [];
    for (const one of evidence) seen.push(await seeEvidence(one, judging));
    const runId = isNew ? judging.runId : (criterion.claim?.runId ?? judging.runId);
    const { commit, at } = judging;
    const saidAt = isNew ? at : (criterion.claim?.saidAt ?? at);
    judged.set(criterion.number, {
      claim: { runId, commit, state: stateOfEvidence(seen), evidence: seen, saidAt, at },
    });
  }
  return judged;
}

/** Shown only if all of it is. */
export function stateOfEvidence(evidence: ReadonlyArray<JudgedEvidence>): ClaimState {
  if (evidence.some(({ state }) => state === 'refuted')) return 'refuted';
  return evidence.every(({ state }) => state === 'shown') ? 'shown' : 'claimed';
}
