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

async function perform(step: DeliveryStep, outgoing: ServerResponse, gone: AbortSignal): Promise<'over' | 'next'> {
  switch (step.do) {
    case 'send':
      outgoing.write(step.bytes);
      // The socket gets this chunk before the next one is written, so that the client sees the boundary.
      await nextTurn();
      return 'next';
    case 'wait':
      await pause(step.ms, gone);
      return 'next';
    case 'hang':
      await pause(step.forMs, gone);
      return 'next';
    case 'repeat':
      while (!gone.aborted) {
        outgoing.write(step.bytes);
        await pause(step.everyMs, gone);
      }
      return 'over';
    case 'reset':
      // The client may still be reading: a reset that overtakes the bytes would lose them.
      await pause(20, gone);
      outgoing.socket?.resetAndDestroy();
      return 'over';
    case 'end':
      outgoing.socket?.end();
      return 'over';
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
