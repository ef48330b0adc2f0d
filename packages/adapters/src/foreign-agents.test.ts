import { FOREIGN_KINDS } from './foreign-agents.ts';
import { describeForeignAgent, scriptedProgram, type ForeignBehaviour } from './testing/index.ts';

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
