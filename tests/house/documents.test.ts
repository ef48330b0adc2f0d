import { describe, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { judge } from './planted.ts';

const HOUSE = {
  'package.json': '{ "scripts": { "bench": "true" } }',
  'docs/walk.md': '',
  'packages/llm/src/client.ts':
    'export function createClient() { return { max_tokens: 1, file: join("config.json"), at: `${home}/.attractor/x` }; }',
  'packages/llm/src/types/usage.ts': 'export interface TokenUsage {}',
};

const reading = (text: string, file = 'packages/llm/README.md') => judge(documents, { ...HOUSE, [file]: text });

describe('what documents name', () => {
  it.each([
    ['a path from the root', 'See `packages/llm/src/gone.ts`.'],
    ['a folder of ours', 'See `tests/gone`.'],
    ['a path from its own folder', 'See `src/gone.ts`.'],
    ['a folder', 'See `gone/`.'],
    ['a file name', 'See `gone.ts`.'],
    ['a pattern that matches nothing', 'See `packages/*/gone.ts`.'],
    ['a link', 'See [it](../gone.md).'],
    ['a function', 'Call `createNothing`.'],
    ['a function by its brackets', 'Call `nothing()`.'],
    ['a member', 'Call `createClient.goneThing`.'],
    ['a field', 'Set `gone_field`.'],
    ['a constant', 'Set `GONE_CONSTANT`.'],
    ['a script', 'Run `npm run gone`.'],
    ['an imported name', "```ts\nimport { createClient, goneName } from '@attractor/llm';\n```"],
    ['an imported package', "```ts\nimport { a } from '@attractor/gone';\n```"],
  ])('must exist: %s', (_what, text) => {
    expect(reading(text)).toEqual([expect.stringMatching(/^packages\/llm\/README\.md .*(gone|nothing)/i)]);
  });

  it('may be anything that is there, is made later, or is no promise', () => {
    const text = `
[walk](../../docs/walk.md) [site](https://example.com/a/b.ts) [section](#rooms)
\`packages/llm/src/client.ts\` \`src/client.ts\` \`types/\` \`config.json\` \`.attractor/\` \`client.ts\` \`packages/<name>/src\` \`packages/*/src/client.ts\`
\`createClient()\` \`createClient\` \`TokenUsage\` \`max_tokens\` \`npm run bench\` \`npm test\` \`attractor run "fix it"\`
\`packages/cli/dist/attractor.js\` \`node_modules/.bin/attractor\` \`Last-Event-ID\` \`application/json\` \`true\` \`~/.attractor\`
\`\`\`ts
import { createClient, type TokenUsage } from '@attractor/llm';
const anythingElse = madeUp();
\`\`\`
`;
    expect(reading(text)).toEqual([]);
  });
});
