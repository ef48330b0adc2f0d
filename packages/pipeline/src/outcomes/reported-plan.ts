import { isRecord } from '@attractor/base';
import { isMeantAsPlan, planFields } from '@attractor/store';

/** The plan that an agent reports as data: in `payload.plan`, or its fields beside whatever else the payload has. Null: it is in words. */
export function reportedPlan(payload: unknown): Readonly<Record<string, unknown>> | null {
  if (!isRecord(payload)) return null;
  if (isRecord(payload['plan'])) return payload['plan'];
  return payload['plan'] === undefined && isMeantAsPlan(payload) ? planFields(payload) : null;
}
