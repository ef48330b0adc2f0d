import type { AgentDelta, AgentMessage } from '@attractor/adapters';
import { STEPS, type TranscriptDelta, type TranscriptMessage } from '@attractor/api';
import { RUN_STEPS } from '@attractor/platform';
import { expect, expectTypeOf, it } from 'vitest';

it('calls the steps of a run as the platform does', () => {
  expect(STEPS).toEqual(RUN_STEPS);
});

it('reads every message and delta that an agent may tell', () => {
  expectTypeOf<AgentMessage>().toExtend<TranscriptMessage>();
  expectTypeOf<AgentDelta>().toExtend<TranscriptDelta>();
});
