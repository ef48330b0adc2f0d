import type { PipelineDefinition } from '@attractor/store';
import { BUG } from './bug.ts';
import { CHORE } from './chore.ts';
import { CODING_AUTO } from './coding-auto.ts';
import { CODING_STAGES } from './coding-stages.ts';
import { CODING_TDD } from './coding-tdd.ts';
import { CODING } from './coding.ts';
import { FEATURE } from './feature.ts';
import { SIMPLE } from './simple.ts';

/** A changed definition gets a new version here: what is stored under a version never changes. */
export const BUILT_IN_PIPELINES: ReadonlyArray<PipelineDefinition> = [
  CODING,
  CODING_STAGES,
  CODING_TDD,
  CODING_AUTO,
  SIMPLE,
  BUG,
  FEATURE,
  CHORE,
];
