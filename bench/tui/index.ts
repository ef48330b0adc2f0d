/** The terminal app through a pty, and in tmux: how soon it takes a key, what a long answer costs, and what is left of it after resizes. */
import { loadavg } from 'node:os';
import { measureAnswers } from './answer.ts';
import { verdict } from './goals.ts';
import { measurePeers } from './peers.ts';
import { leave } from './place.ts';
import { measureResizes } from './resizes.ts';
import { measureSlowTerminal } from './slow.ts';
import { measureFirstAnswer, measureStart } from './start.ts';

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  start: measureStart,
  first: measureFirstAnswer,
  answer: measureAnswers,
  slow: measureSlowTerminal,
  resizes: measureResizes,
  peers: measurePeers,
};

const wanted = process.argv.slice(2);
console.log(
  `  load of the machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}\n`,
);
try {
  for (const [name, measure] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await measure();
} finally {
  await leave();
}
verdict();
