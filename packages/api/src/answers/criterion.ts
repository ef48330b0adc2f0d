import { once } from '@attractor/base';
import { z } from 'zod';
import { actorAnswer } from './actor.ts';
import { list, time } from './shape.ts';

const claimState = () => z.enum(['shown', 'claimed', 'refuted']);

const judgedEvidence = () =>
  z.looseObject({
    check: z.string().exactOptional(),
    file: z.string().exactOptional(),
    line: z.number().exactOptional(),
    contains: z.string().exactOptional(),
    sha256: z.string().exactOptional(),
    command: z.string().exactOptional(),
    run: z.string().exactOptional(),
    artifact: z.string().exactOptional(),
    state: claimState(),
    seen: z.string(),
  });

const claim = () =>
  z.strictObject({
    runId: z.string().nullable(),
    commit: z.string(),
    state: claimState(),
    evidence: list(judgedEvidence()),
    saidAt: time(),
    at: time(),
  });

const mark = () => z.strictObject({ isMet: z.boolean(), note: z.string().nullable(), by: actorAnswer(), at: time() });

export const criterionAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      number: z.number(),
      text: z.string(),
      state: z.enum(['accepted', 'shown', 'claimed', 'refuted', 'open']),
      detail: z.string().nullable(),
      claim: claim().nullable(),
      mark: mark().nullable(),
    })
    .meta({ id: 'Criterion' }),
);
