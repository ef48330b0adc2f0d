import { join } from 'node:path';
import { withCompiledCode } from './compiled-code.mjs';
import { pack } from './pack.mjs';
import { frontDoor, programBuild, PROGRAMS } from './programs.mjs';
import { standIns } from './stand-ins.mjs';

/**
 * The command's builds, made to start fast: stand-ins for what is slow to load, and a pack for headless runs and one for all other commands.
 *
 * @param plain options of esbuild for `attractor.js` and for `main.js`
 * @param {string} cli the folder of the package to bundle
 */
export function fastBuilds({ entry, main }, cli) {
  const fast = { ...main, plugins: [...main.plugins, ...standIns] };
  const programs = Object.keys(PROGRAMS).map((name) => programBuild(fast, cli, name));
  return [{ ...entry, plugins: [frontDoor, ...entry.plugins] }, ...programs];
}

/** The files of those builds, with the programs packed and compiled code beside each pack; `root`: the checkout. */
export async function withPacks(files, root) {
  const packed = Object.keys(PROGRAMS).map(async (program) => {
    const folder = join(program, '/');
    const own = files.filter(({ name }) => name.startsWith(folder));
    const named = own.map(({ name, text }) => ({ name: name.slice(folder.length), text }));
    return withCompiledCode(root, await pack(program, named));
  });
  const others = files.filter(({ name }) =>
    Object.keys(PROGRAMS).every((program) => !name.startsWith(join(program, '/'))),
  );
  return [...others, ...(await Promise.all(packed)).flat()];
}
