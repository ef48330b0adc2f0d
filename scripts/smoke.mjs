// `npm run smoke`: the loop against real models, for every provider whose key is in the environment. Costs a few cents.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEYS = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
};
const LIMIT_MS = 60_000;

const found = Object.keys(KEYS).filter((provider) => KEYS[provider].some((name) => process.env[name]));
if (found.length === 0) {
  const names = Object.values(KEYS).map(([name]) => name);
  process.stdout.write(
    `Skipped: no key is set. Set ${names.join(', ')} (any of them) to run the loop on a real model.\n`,
  );
} else {
  for (const provider of found) await smoke(provider);
}

/** Create a file, read and then edit it, run a command: each step is checked in the folder itself. */
async function smoke(provider) {
  const { createClientFromEnvironment } = await import('@attractor/llm');
  const agent = await import('@attractor/agent');
  const folder = await mkdtemp(join(tmpdir(), 'attractor-smoke-'));
  const client = createClientFromEnvironment(process.env);
  const profile = agent.profileFor(provider);
  const config = { provider, model: process.env.ATTRACTOR_MODEL ?? profile.defaultModel, maxTurns: 20 };
  const environment = agent.createLocalExecutionEnvironment(folder);
  const session = agent.createSession({ profile, client, config, environment });
  try {
    await ask(session, 'Create a file hello.txt that contains exactly the line: Hello');
    await check(join(folder, 'hello.txt'), /^Hello\s*$/);
    await ask(session, 'Read hello.txt, then edit it so that it says Goodbye instead of Hello.');
    await check(join(folder, 'hello.txt'), /^Goodbye\s*$/);
    await ask(session, 'With a shell command, copy hello.txt to copy.txt.');
    await check(join(folder, 'copy.txt'), /^Goodbye\s*$/);
    process.stdout.write(`${provider}: create, edit and shell work (${session.usage().totalTokens} tokens)\n`);
  } catch (error) {
    process.stdout.write(`${provider}: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await session.close();
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask(session, input) {
  const late = setTimeout(() => void session.abort(), LIMIT_MS);
  await session.submit(input);
  clearTimeout(late);
  if (session.error() !== null) throw session.error();
  if (session.state() === 'CLOSED') throw new Error(`no end within ${LIMIT_MS / 1000} s: ${input}`);
}

async function check(file, wanted) {
  const text = await readFile(file, 'utf8');
  if (!wanted.test(text)) throw new Error(`${file} holds ${JSON.stringify(text)}, not ${wanted}`);
}
