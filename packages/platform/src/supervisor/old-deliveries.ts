import { removeOldDeliveries } from '@attractor/store';
import type { Check } from './check.ts';

/** Deliveries that were sent or given up are kept for a month. Their removal is not reported. */
export const oldDeliveries: Check = async ({ store, settings }) => {
  await store.transact((tx) => removeOldDeliveries(tx, settings.keepDeliveriesMs));
  return [];
};
