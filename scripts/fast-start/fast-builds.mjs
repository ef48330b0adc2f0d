import { dirname, join } from 'node:path';
import { withCompiledCode } from './compiled-code.mjs';
import { HEADLESS, headlessFile, frontDoor } from './headless-file.mjs';
import { standIns } from './stand-ins.mjs';

/**
 * The command's builds, made to start fast: stand-ins for what is slow to load, and an extra file for headless runs.
 *
 * @param plain options of esbuild for `attractor.js` and for `main.js`
 * @param {string} cli the folder of the package to bundle
 */
export function fastBuilds({ entry, main }, cli) {
  const plugins = [...main.plugins, ...standIns];
  // What only MCP servers need is a separate file for headless runs, most of which have none.
  const servers = { 'session-servers': join(dirname(cli), 'agent', 'src', 'open', 'session-servers.ts') };
  return [
    { ...entry, plugins: [frontDoor, ...entry.plugins] },
    headlessFile({ ...main, plugins }, cli),
    { ...main, entryPoints: { ...main.entryPoints, ...servers }, plugins },
  ];
}

/** The files of those builds, with compiled code beside the headless one; `root`: the checkout. */
export async function withCode(files, root) {
  const made = files.map((file) => (file.name === HEADLESS ? withCompiledCode(root, file) : [file]));
  return (await Promise.all(made)).flat();
}
