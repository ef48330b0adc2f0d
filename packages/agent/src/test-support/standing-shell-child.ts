/*
 * Has a standing shell, prints its process id, and ends in one of three ways:
 *   node standing-shell-child.ts ROOT cleanup|exit|kill
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalExecutionEnvironment } from '../execution/local.ts';

const [root = '', how = ''] = process.argv.slice(2);
const env = createLocalExecutionEnvironment(root);
await env.execCommand('true');
const { stdout } = await env.execCommand('echo $PPID');
if (how === 'cleanup') await env.cleanup();
process.stdout.write(stdout);
if (how === 'kill') await wait(60_000);
