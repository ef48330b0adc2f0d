import { AsyncLocalStorage } from 'node:async_hooks';
import { done, isRecord } from '@attractor/base';
import {
  claimCall,
  finishCall,
  isRefusal,
  type KeptCall,
  markActed,
  refuse,
  refuseOnDatabaseError,
  releaseCall,
  type Store,
} from '@attractor/store';
import type { CallCommands, CallOnce, OnceResult } from './contract.ts';

/** The call on whose behalf something is written; closed once it is answered, since what it started may go on. */
type Scope = { readonly call: CallOnce; isOpen: boolean };

/** How long the same call waits for one that is under way, and how often it looks. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

/** Records whose transactions know the call that they belong to, and the command that makes calls known to them. */
export function rememberCalls(records: Store): { readonly store: Store; readonly calls: CallCommands } {
  const scopes = new AsyncLocalStorage<Scope>();
  const transact: Store['transact'] = (work, ...rest) => {
    const scope = scopes.getStore();
    if (scope === undefined || !scope.isOpen) return records.transact(work, ...rest);
    return records.transact(
      async (tx) => {
        const value = await work(tx);
        if (!isRefusal(value)) await markActed(tx, scope.call, answerIn(scope.call, value));
        return value;
      },
      ...rest,
    );
  };
  const callOnce: CallCommands['callOnce'] = async (call, act) => {
    const kept = await refuseOnDatabaseError(async () => done(await claim(records, call)));
    if (!kept.ok) return kept;
    if (kept.value !== null) return answerAgain(call, kept.value);
    const scope: Scope = { call, isOpen: true };
    const result = await scopes
      .run(scope, act)
      .finally(() => {
        scope.isOpen = false;
      })
      .catch(async (error: unknown) => {
        await records.transact((tx) => releaseCall(tx, call));
        throw error;
      });
    await records.transact((tx) => (result.ok ? finishCall(tx, call, answerIn(call, result)) : releaseCall(tx, call)));
    return result;
  };
  return { store: { ...records, transact }, calls: { callOnce } };
}

/** Null: it is ours. Whoever is at it is waited for. */
async function claim(records: Store, call: CallOnce): Promise<KeptCall | null> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const kept = await records.transact((tx) => claimCall(tx, call));
    const isUnderWay = kept !== null && kept.state !== 'done' && kept.isHeld && kept.hash === call.hash;
    if (!isUnderWay || performance.now() > until) return kept;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function answerAgain<Value>(call: CallOnce, { hash, state, isHeld, answer }: KeptCall): OnceResult<Value> {
  if (hash !== call.hash)
    return refuse('invalid', `The key "${call.key}" has been used for another call. Every new call needs a new key.`);
  if (state !== 'done' && isHeld)
    return refuse('conflict', 'The same call is still being carried out. Try again later.');
  if (call.isSecret !== true && (state === 'done' || call.fits(answer)))
    return { ...done(answer as Value), again: true };
  return refuse(
    'conflict',
    'This call has already been carried out, and its answer was not kept. Look at what it changed.',
  );
}

/** What a transaction came to, or the whole call. */
function answerIn({ isSecret }: CallOnce, value: unknown): unknown {
  return isSecret !== true && isRecord(value) && value['ok'] === true ? value['value'] : null;
}
