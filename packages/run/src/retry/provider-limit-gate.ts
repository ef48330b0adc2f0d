import { resumeTime } from '@attractor/adapters';
import { findProviderLimit, type StartGate, transactionTime } from '@attractor/store';

/** Holds back every run of an account until the time that its provider gave. */
export const providerLimitGate: StartGate = async (tx, run) => {
  const job = await tx.selectFrom('jobs').select('account').where('run_id', '=', run.id).executeTakeFirst();
  const account = job?.account === undefined || job.account === '' ? run.agentType : job.account;
  const limit = await findProviderLimit(tx, account);
  const now = transactionTime(tx);
  if (limit === null || limit.until <= now) return null;
  const when = resumeTime(new Date(limit.until), new Date(now));
  return { code: 'provider_limit', message: `${account} resumes at ${when}: ${limit.reason}`, until: limit.until };
};
