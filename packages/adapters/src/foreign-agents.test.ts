import { FOREIGN_KINDS } from './foreign-agents.ts';
import { expect, it } from 'vitest';
import { createAcpAgent } from './acp.ts';
import { describeForeignAgent, makeRun, scriptedProgram, type ForeignBehaviour } from './testing/index.ts';

/** The fake program of a wire, behind its adapter. */
const agentOf = (wire: string) => (behaviour: ForeignBehaviour) => {
  const make = FOREIGN_KINDS[wire];
  if (make === undefined) throw new Error(wire);
  const definition = { command: scriptedProgram(wire, behaviour), env: ['FAKE_KEY'], useMyLogin: false };
  return make({
    type: wire,
    definition,
    env: { PATH: process.env['PATH'], FAKE_KEY: 'none', HOST_SECRET: 'correct-horse' },
    silenceMs: behaviour === 'silent' ? 500 : 900_000,
  });
};

for (const wire of Object.keys(FOREIGN_KINDS)) describeForeignAgent(wire, agentOf(wire));

it('an agent of another version of the protocol ends its run in one line that says so', async () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}';
  const command = ['/bin/sh', '-c', `read -r hello; echo '${answer}'`] as const;
  const definition = { command, env: [], useMyLogin: false, displayName: 'Newer' };
  const { options } = await makeRun();
  const { error } = await createAcpAgent({ type: 'newer', definition, env: {} }).run(options);
  expect(error).toMatchObject({ code: 'version', retryable: false });
  expect(error?.message).toMatch(/^Newer speaks version 2 of the Agent Client Protocol, .* Install a version of it/);
});
