import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mount } from '../mounts.ts';
import type { PrivateFolder } from '../private-folder.ts';
import { bridge } from './bridge.ts';
import { createHostJudge, type HostJudge, rulesOf } from './judge-host.ts';
import type { Dial, NetworkPolicy } from './network-policy.ts';
import { createProxy } from './proxy.ts';
import { createRefusals, type Refusals } from './refusals.ts';

/**
 * The only way out of a sandbox with a network: its own loopback → bridge → a socket that is mounted into it → the proxy in this process.
 * The network namespace stays empty, so whatever does not use the proxy reaches nothing.
 */
export type NetworkGate = {
  readonly mounts: ReadonlyArray<Mount>;
  readonly variables: Readonly<Record<string, string>>;
  readonly bridged: (argv: ReadonlyArray<string>) => ReadonlyArray<string>;
  readonly refusals: Refusals;
  readonly close: () => Promise<void>;
};

const SOCKET_INSIDE = '/run/attractor-gate.sock';
const BRIDGE_INSIDE = '/run/attractor-bridge.mjs';
const PORT = '3128';

/** Null: no network. */
export function openGate(policy: NetworkPolicy | undefined, folder: PrivateFolder): NetworkGate | null {
  if (policy === undefined || rulesOf(policy.allowedDomains).length === 0) return null;
  const socket = path.join(folder.at, 'gate.sock');
  const program = path.join(folder.at, 'bridge.mjs');
  writeFileSync(program, `(${bridge.toString()})();\n`, { mode: 0o600 });
  const refusals = createRefusals();
  const judge = createHostJudge(policy, policy.resolve ?? resolveName);
  const noting: HostJudge = async (...asked) => {
    const route = await judge(...asked);
    if (!route.allowed) refusals.add(route);
    return route;
  };
  const proxy = createProxy(noting, policy.dial ?? dialDirectly);
  proxy.listen(socket, () => chmodSync(socket, 0o600)).unref();
  const address = `http://127.0.0.1:${PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  return {
    mounts: [
      { at: SOCKET_INSIDE, as: 'read-only', from: socket },
      { at: BRIDGE_INSIDE, as: 'read-only', from: program },
    ],
    variables: { ...Object.fromEntries(names.map((name) => [name, address])), NODE_USE_ENV_PROXY: '1', ...LOCAL },
    refusals,
    bridged: (argv) => [process.execPath, BRIDGE_INSIDE, SOCKET_INSIDE, PORT, ...argv],
    close: () =>
      new Promise((resolve) => {
        proxy.closeAllConnections();
        proxy.close(() => resolve());
      }),
  };
}

/** Servers that a command starts for itself are reached directly. */
const LOCAL = { NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1' } as const;

async function resolveName(name: string): Promise<ReadonlyArray<string>> {
  const { lookup } = process.getBuiltinModule('node:dns').promises;
  return (await lookup(name.replace(/^\[|\]$/g, ''), { all: true })).map(({ address }) => address);
}

const CONNECT_MS = 30_000;

function dialDirectly(address: string, port: number): ReturnType<Dial> {
  const socket = process.getBuiltinModule('node:net').connect({ host: address, port });
  socket.setTimeout(CONNECT_MS, () => socket.connecting && socket.destroy());
  return socket;
}
