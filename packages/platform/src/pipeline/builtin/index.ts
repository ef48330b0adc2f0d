import type { PipelineDefinition } from '../../types/index.ts';
import { CODING } from './coding.ts';
import { SIMPLE } from './simple.ts';

export const BUILT_IN_PIPELINES: ReadonlyArray<PipelineDefinition> = [CODING, SIMPLE];
