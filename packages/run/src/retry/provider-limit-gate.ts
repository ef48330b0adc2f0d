import { resumeTime } from '@attractor/adapters';
import { findProviderLimitOf, type StartGate, transactionTime } from '@attractor/store';

/** Holds back every run of an account until the time that its provider gave. */
export const providerLimitGate: StartGate = async (tx, run) => {
  const limit = await findProviderLimitOf(tx, run);
  const now = transactionTime(tx);
  if (limit === null || limit.until <= now) return null;
  const when = resumeTime(new Date(limit.until), new Date(now));
  return {
    code: 'provider_limit',
    message: `${limit.account} resumes at ${when}: ${limit.reason}`,
    until: limit.until,
  };
};
