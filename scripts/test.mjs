// `npm test`: every check of the project. `npm test -- lint types` runs only the stages named.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from './lib/prepare.mjs';
import { runStages } from './lib/report.mjs';
import { STAGES } from './lib/stages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const named = process.argv.slice(2);
const unknown = named.filter((name) => STAGES.every((stage) => stage.name !== name));

if (unknown.length > 0) {
  const known = STAGES.map((stage) => stage.name).join(', ');
  process.stderr.write(`No stage is called ${unknown.join(', ')}. Stages: ${known}\n`);
  process.exitCode = 2;
} else {
  const stages =
    named.length === 0 ? STAGES : STAGES.filter((stage) => stage.name === 'install' || named.includes(stage.name));
  const green = await runStages(stages, { root, say, print: (line) => process.stdout.write(`${line}\n`) });
  process.exitCode = green ? 0 : 1;
}
