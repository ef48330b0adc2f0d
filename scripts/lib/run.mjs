import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';

/**
 * Runs a program to its end. With `show` its output goes to the terminal as it arrives; either way the output is in the answer. Never
 * throws for a program that fails or does not exist.
 *
 * @param {string[]} argv
 * @param {{ cwd: string, env?: Record<string, string | undefined>, show?: boolean, timeoutMs?: number }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run([command, ...args], { cwd, env = process.env, show = false, timeoutMs }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    const chunks = [];
    const keep = (stream) => (chunk) => {
      chunks.push(chunk);
      if (show) stream.write(chunk);
    };
    child.stdout.on('data', keep(process.stdout));
    child.stderr.on('data', keep(process.stderr));
    const end = (code, note) => resolve({ code, output: `${Buffer.concat(chunks).toString('utf8')}${note}` });
    child.on('error', (error) => end(127, `${command}: ${error.message}\n`));
    child.on('close', (code, signal) => end(code ?? 1, signal === null ? '' : `ended by ${signal}\n`));
  });
}

/** The environment in which the project's tools run: its own commands and its own Node come first. */
export function toolEnvironment(root, node, extra = {}) {
  const path = [join(root, 'node_modules', '.bin'), dirname(node), process.env.PATH].join(delimiter);
  return { ...process.env, ...extra, PATH: path };
}
