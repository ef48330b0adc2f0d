import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryStep, SimulatedResponse } from './http.ts';

/** Carries out a described response on a real socket. Resolves when the last step is done or the client has gone. */
export async function deliver(response: SimulatedResponse, outgoing: ServerResponse): Promise<void> {
  const writeHead = (): void => {
    if (!outgoing.headersSent) outgoing.writeHead(response.status, response.headers);
  };
  const [only] = response.steps;
  if (response.steps.length === 1 && only?.do === 'send') {
    writeHead();
    outgoing.end(only.bytes);
    return;
  }
  const client = watch(outgoing);
  if (!response.holdHeaders) {
    writeHead();
    outgoing.flushHeaders();
  }
  for (const step of response.steps) {
    if (client.gone) return;
    if (step.do === 'send') writeHead();
    if ((await perform(step, outgoing, client)) === 'over') return;
  }
  writeHead();
  if (!client.gone) outgoing.end();
}

/** Whether the client is still there. An AbortSignal would do, but makes an exception object for every response. */
interface Client {
  gone: boolean;
  wake: () => void;
}

function watch(outgoing: ServerResponse): Client {
  const client: Client = { gone: false, wake: () => undefined };
  outgoing.once('close', () => {
    client.gone = true;
    client.wake();
  });
  return client;
}

/** Returns whether more steps may follow. */
async function perform(step: DeliveryStep, outgoing: ServerResponse, client: Client): Promise<'over' | 'next'> {
  if (step.do === 'send') {
    outgoing.write(step.bytes);
    // The socket gets this chunk before the next one is written, so that the client sees the boundary.
    await nextTurn();
  } else if (step.do === 'wait') await pause(step.ms, client);
  else if (step.do === 'hang') await pause(step.forMs, client);
  else if (step.do === 'repeat') await repeat(step, outgoing, client);
  else {
    // The client may still be reading: a reset that overtakes the bytes would lose them.
    await pause(20, client);
    if (step.do === 'reset') outgoing.socket?.resetAndDestroy();
    else outgoing.socket?.end();
    return 'over';
  }
  return 'next';
}

async function repeat(
  step: Extract<DeliveryStep, { do: 'repeat' }>,
  outgoing: ServerResponse,
  client: Client,
): Promise<void> {
  while (!client.gone) {
    outgoing.write(step.bytes);
    await pause(step.everyMs, client);
  }
}

/** Without a time it lasts until the client leaves. */
function pause(ms: number | undefined, client: Client): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
    client.wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (client.gone) client.wake();
  });
}
