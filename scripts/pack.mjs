// `npm run pack`: one tarball of the command, the web app and what they need. stdout is its path.
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { Failure, exitWith } from './lib/failure.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { exclusively, say } from './lib/prepare.mjs';
import { makeTarball } from './lib/tarball.mjs';

const USAGE = `Usage: npm run pack [-- FOLDER]

Builds the command and packs it, with the web app and the pages for users, into one tarball in FOLDER (the checkout when none is
named). Prints the tarball's path. \`npm install -g ./attractor-*.tgz\` puts \`attractor\` on the PATH of any machine with Node 20
or newer.
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const asked = readArguments();

if (asked.help) process.stdout.write(USAGE);
else if (asked.problem !== undefined) {
  process.stderr.write(`${asked.problem}\n\n${USAGE}`);
  process.exitCode = 2;
} else await pack(asked.folder).catch(exitWith);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (positionals.length > 1) return { problem: `One folder at most: ${positionals.join(' ')}` };
    // npm runs scripts in the checkout; a relative folder is meant from the person's own folder.
    const [folder] = positionals;
    const here = process.env.INIT_CWD ?? process.cwd();
    return { help: values.help, folder: folder === undefined ? root : resolve(here, folder) };
  } catch (error) {
    return { problem: error.message };
  }
}

async function pack(folder) {
  if (!existsSync(folder)) throw new Failure(`There is no folder ${folder} to put the tarball into.`);
  const tarball = await exclusively(root, say, async () => {
    await ensureInstalled(root, say);
    await ensureBuilt(root, say);
    return makeTarball(root, folder);
  });
  const megabytes = (statSync(tarball).size / 1e6).toFixed(1);
  process.stdout.write(`${tarball}\n`);
  say(`packed ${megabytes} MB; install it with: npm install -g ${tarball}`);
}
