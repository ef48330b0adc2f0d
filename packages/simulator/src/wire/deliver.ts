import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryStep, SimulatedResponse } from './http.ts';

/** Carries out a described response on a real socket. Resolves when the last step is done or the client has gone. */
export async function deliver(response: SimulatedResponse, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const writeHead = (): void => {
    if (!outgoing.headersSent) outgoing.writeHead(response.status, response.headers);
  };
  const [only] = response.steps;
  if (response.steps.length === 1 && only?.do === 'send') {
    writeHead();
    outgoing.end(only.bytes);
    return;
  }
  if (!response.holdHeaders) {
    writeHead();
    outgoing.flushHeaders();
  }
  for (const step of response.steps) {
    if (gone.signal.aborted) return;
    if (step.do === 'send') writeHead();
    if ((await perform(step, outgoing, gone.signal)) === 'over') return;
  }
  writeHead();
  if (!gone.signal.aborted) outgoing.end();
}

/** Says whether more steps may follow. */
async function perform(step: DeliveryStep, outgoing: ServerResponse, gone: AbortSignal): Promise<'over' | 'next'> {
  if (step.do === 'send') {
    outgoing.write(step.bytes);
    // The socket gets this chunk before the next one is written, so that the client sees the boundary.
    await nextTurn();
  } else if (step.do === 'wait') await pause(step.ms, gone);
  else if (step.do === 'hang') await pause(step.forMs, gone);
  else if (step.do === 'repeat') await repeat(step, outgoing, gone);
  else {
    // The client may still be reading: a reset that overtakes the bytes would lose them.
    await pause(20, gone);
    if (step.do === 'reset') outgoing.socket?.resetAndDestroy();
    else outgoing.socket?.end();
    return 'over';
  }
  return 'next';
}

async function repeat(
  step: Extract<DeliveryStep, { do: 'repeat' }>,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  while (!gone.aborted) {
    outgoing.write(step.bytes);
    await pause(step.everyMs, gone);
  }
}

/** Without a time it lasts until the client leaves. */
function pause(ms: number | undefined, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    const timer = ms === undefined ? undefined : setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      gone.removeEventListener('abort', finish);
      resolve();
    }
    gone.addEventListener('abort', finish);
  });
}
