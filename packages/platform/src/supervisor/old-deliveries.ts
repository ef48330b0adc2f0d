import { removeOldDeliveries } from '@attractor/store';
import type { Check } from './check.ts';

/** What was sent, or given up, is kept for a month. Nobody needs to be told that it goes. */
export const oldDeliveries: Check = async ({ store, settings }) => {
  await store.transact((tx) => removeOldDeliveries(tx, settings.keepDeliveriesMs));
  return [];
};
