import { readFileSync, writeFileSync } from 'node:fs';

/**
 * A command that behaves like a coding agent: `node cli-agent-child.ts works|fails|hangs|tree|flood|env [PROMPT]`. It prints lines of JSON,
 * and finally a text with markers.
 */
const [behaviour = '', prompt = readFileSync(0, 'utf8')] = process.argv.slice(2);
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const BEHAVIOURS: Readonly<Record<string, () => void>> = {
  works: () => {
    say({ type: 'say', message: { text: `I was asked: ${prompt}` } });
    say({ type: 'tool', id: 't1', name: 'edit', arguments: { path: 'greeting.txt' } });
    const text = readFileSync('greeting.txt', 'utf8');
    writeFileSync('greeting.txt', text.replace('hello', 'good-bye'));
    say({ type: 'tool_done', id: 't1', name: 'edit', result: 'changed' });
    say({ type: 'cost', tokens: { in: 100, out: 20 }, usd: 0.5 });
    say({ type: 'cost', tokens: { in: 50, out: 5 }, usd: 0.25 });
    process.stdout.write('not JSON at all\n');
    say({ type: 'say', message: { text: 'Done.\n<<<OUTCOME:pr_ready>>>' } });
  },
  fails: () => {
    process.stderr.write(`I can't: ${process.env['SECRET_TOKEN'] ?? 'no token'}\n`);
    process.exitCode = 3;
  },
  hangs: () => {
    process.on('SIGTERM', () => undefined);
    say({ type: 'say', message: { text: 'I hang' } });
    setInterval(() => undefined, 1_000);
  },
  flood: () => {
    for (let index = 0; index < 1_200; index += 1) say({ type: 'say', message: { text: 'x'.repeat(10_000) } });
    say({ type: 'say', message: { text: '<<<OUTCOME:pr_ready>>>' } });
  },
  env: () => say({ type: 'say', message: { text: Object.keys(process.env).toSorted().join(' ') } }),
};

BEHAVIOURS[behaviour]?.();
