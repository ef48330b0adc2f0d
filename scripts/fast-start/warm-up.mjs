// Uses the given program for what people use it for, loaded as the command loads it, and writes the code that V8 compiled beside it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { openProgram } from './front.ts';

const [file] = process.argv.slice(2);
const uses = { headless: haveConversation, main: lookAround, terminal: typeAndLeave };

// V8 refuses code that was compiled under other flags than those that a program begins with.
process.getBuiltinModule('node:v8').setFlagsFromString = () => undefined;
process.env.ATTRACTOR_HOME = join(dirname(file), 'home');
const program = openProgram(file);
const exitCode = await uses[basename(file, '.pack')](program.run().main);
if (exitCode === 0) writeFileSync(`${file}.code`, program.code());
process.exit(exitCode);

/** A short conversation with a scripted model. */
async function haveConversation(main) {
  const folder = join(dirname(file), 'work');
  const simulator = await startSimulator({
    script: {
      turns: [
        { toolCalls: [{ use: 'shell', command: 'true' }], repeat: 3 },
        { text: 'Let me look.', toolCalls: [{ use: 'read', path: 'note.txt' }], repeat: 3 },
        { toolCalls: [{ use: 'edit', path: 'note.txt', old: 'one', new: 'two' }] },
        { text: 'Done.' },
      ],
    },
  });
  mkdirSync(folder);
  writeFileSync(join(folder, 'note.txt'), 'one\n');
  const permission = ['--permission-mode', 'bypassPermissions', '--allow-unsandboxed'];
  const ended = await main(['-p', 'Go on.', ...connectionTo(simulator), ...permission, '--cwd', folder]);
  await simulator.close();
  return ended;
}

/** The first look at a new home, which is what every command that reads or writes tasks does too, and an agent of a file. */
async function lookAround(main) {
  for (const line of [['status'], ['inbox'], ['projects', 'list'], ['tasks', 'list', '--json']]) {
    const ended = await main(line);
    if (ended !== 0) return ended;
  }
  return runAgent(main);
}

async function runAgent(main) {
  const turns = [{ toolCalls: [{ name: 'file_list', args: {} }], repeat: 2 }, { text: 'Done.' }];
  const simulator = await startSimulator({ script: { turns } });
  const [folder, spec] = ['workspace', 'agent.md'].map((name) => join(dirname(file), name));
  mkdirSync(folder);
  writeFileSync(spec, '# Agent\n\nYou look.\n');
  const ended = await main(['exec', spec, folder, ...connectionTo(simulator), '--allow-unsandboxed']);
  await simulator.close();
  return ended;
}

function connectionTo({ baseUrls }) {
  process.env.ANTHROPIC_API_KEY = 'none';
  return ['--provider', 'anthropic', '--model', 'scripted', '--base-url', baseUrls.anthropic];
}

/** A few keys and a short answer, on a terminal that is not there: what is drawn goes to who reads this program's output. */
async function typeAndLeave(main) {
  const simulator = await startSimulator({
    script: { turns: [{ text: '# One\n\n- two\n\n```js\nlet a = 1;\n```\n' }] },
  });
  process.env.ANTHROPIC_API_KEY = 'none';
  const { stdin, stdout } = process;
  const typed = (text) => stdin.emit('data', Buffer.from(text));
  Object.assign(stdin, { setRawMode: () => stdin, isTTY: true });
  Object.assign(stdout, { getWindowSize: () => [80, 24] });
  const connection = ['--provider', 'anthropic', '--model', 'scripted', '--base-url', simulator.baseUrls.anthropic];
  process.chdir(dirname(file));
  const ended = main(['Say one.', ...connection, '--allow-unsandboxed', '--no-animation']);
  typed('abc\u0015');
  const leaving = setInterval(() => simulator.requests().length > 0 && setTimeout(() => typed('\u0004'), 500), 100);
  const exitCode = await ended;
  clearInterval(leaving);
  await simulator.close();
  return exitCode;
}
