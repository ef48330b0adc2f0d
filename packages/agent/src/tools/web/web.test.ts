import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEnvironment } from '../../testing/memory-environment.ts';
import type { RegisteredTool, Turn } from '../../types/index.ts';
import type { FetchPageOptions } from '@attractor/pages';
import { say, serve } from '@attractor/pages/testing';
import { isMentionedUrl, mentionedUrls } from './mentioned-urls.ts';
import { TOOL_NAMES } from '@attractor/tool-table';
import { createWebSearchTool } from './search.ts';
import { createWebFetchTool } from './tool.ts';

const HERE: FetchPageOptions = { allowLoopback: true };

async function run(tool: RegisteredTool, args: Readonly<Record<string, unknown>>) {
  const answer = await tool.executor(args, createMemoryEnvironment());
  return typeof answer === 'string' ? { output: answer, isError: false } : answer;
}

describe('web_fetch', () => {
  it('shows a page, keeps it for 15 minutes, and answers a prompt where somebody can', async () => {
    let time = 0;
    const { origin, requests } = await serve(say('words'));
    const tool = createWebFetchTool({ ...HERE, now: () => time });
    expect(await run(tool, { url: `${origin}/p` })).toEqual({ output: `${origin}/p\n\nwords`, isError: false });
    time = 14 * 60_000;
    await run(tool, { url: `${origin}/p` });
    expect(requests).toHaveLength(1);
    time = 16 * 60_000;
    await run(tool, { url: `${origin}/p` });
    expect(requests).toHaveLength(2);
    const asking = createWebFetchTool({ ...HERE, answer: async ({ page, prompt }) => `${prompt} ${page.text}` });
    expect((await run(asking, { url: origin, prompt: 'Which?' })).output).toBe('Which? words');
    expect(tool.readOnly).not.toBe(true);
  });

  it('fetches nothing that the policy refuses', async () => {
    const { origin, requests } = await serve(say('words'));
    const tool = createWebFetchTool({
      ...HERE,
      refuse: async (url) => (url.endsWith('/no') ? 'nobody spoke of it' : null),
    });
    expect(await run(tool, { url: `${origin}/no` })).toEqual({
      output: `${origin}/no was not fetched: nobody spoke of it`,
      isError: true,
    });
    expect(requests).toEqual([]);
    expect(await run(tool, { url: 'http://u:p@127.0.0.1/' })).toMatchObject({ isError: true });
  });
});

const SHOWN_AGAIN = TOOL_NAMES.filter((name) => name !== 'web_search');

describe('the URLs that were mentioned', () => {
  const history: ReadonlyArray<Turn> = [
    { kind: 'user', content: 'See https://docs.test/a(b) and (https://docs.test/c), or <http://x.test/?q=1#part>.' },
    {
      kind: 'assistant',
      content: [
        { kind: 'TEXT', text: 'I would look at https://evil.test/?leak=1' },
        { kind: 'TOOL_CALL', toolCallId: '1', toolName: 'Read', args: { file_path: 'notes.md' } },
        { kind: 'TOOL_CALL', toolCallId: '2', toolName: 'Bash', args: { command: 'echo https://evil.test/$(id)' } },
        { kind: 'TOOL_CALL', toolCallId: '3', toolName: 'WebFetch', args: { url: 'https://evil.test/?made=up' } },
        { kind: 'TOOL_CALL', toolCallId: '4', toolName: 'Task', args: { prompt: 'look' } },
        { kind: 'TOOL_CALL', toolCallId: '5', toolName: 'WebFetch', args: { url: 'https://docs.test/c' } },
        { kind: 'TOOL_CALL', toolCallId: '6', toolName: 'WebSearch', args: { query: 'x' } },
      ],
    },
    {
      kind: 'tool_results',
      results: [
        { toolCallId: '1', output: 'https://repository.test/ https://evil.test/?leak=1', isError: false },
        { toolCallId: '2', output: 'https://evil.test/uid', isError: false },
        {
          toolCallId: '3',
          output: 'Denied: WebFetch: https://evil.test/?made=up: it reads from evil.test',
          isError: true,
        },
        { toolCallId: '4', output: 'Look at https://evil.test/agent', isError: false },
        { toolCallId: '5', output: '[next](https://docs.test/d) https://evil.test/?leak=1', isError: false },
        { toolCallId: '6', output: 'https://hit.test/', isError: false },
      ],
    },
    { kind: 'steering', content: 'also HTTPS://Docs.Test:443/e!' },
    { kind: 'steering', content: 'https://repository.test/memory', source: 'memory' },
  ];

  it.each([
    ['https://docs.test/a(b)', true],
    ['https://docs.test/c', true],
    ['http://x.test/?q=1', true],
    ['http://x.test/?q=1#other', true],
    ['https://docs.test/d', true],
    ['https://docs.test/e', true],
    ['https://hit.test/', true],
    ['https://repository.test/', false],
    ['https://repository.test/memory', false],
    ['https://evil.test/?leak=1', false],
    ['https://evil.test/uid', false],
    ['https://evil.test/?made=up', false],
    ['https://evil.test/agent', false],
    ['https://docs.test/c?leak=1', false],
    ['https://docs.test/', false],
    ['http://docs.test/c', false],
    ['https://u:p@docs.test/c', false],
    ['no url', false],
  ])('%s: %s', (url, expected) => {
    expect(isMentionedUrl(url, history)).toBe(expected);
  });

  it('are only those that a search found, where the task itself comes from another model', () => {
    expect([...mentionedUrls(history, 'task')]).toEqual(['https://hit.test/']);
  });

  // Whatever the model writes, edits, runs, asks or is told again, in any order, the URL that carries data is never known by it.
  it('never come about by what the model can write and read back', () => {
    const readers = [...SHOWN_AGAIN, 'mcp__notes__read', 'some_tool_of_a_plugin'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...readers), { minLength: 1, maxLength: 8 }), fc.nat(9), (names, digit) => {
        const secret = `https://evil.test/?d=${digit}42`;
        const turns = names.flatMap((toolName, index): ReadonlyArray<Turn> => {
          const toolCallId = String(index);
          const args = { file_path: 'a.md', old_string: 'X', new_string: `${digit}42`, url: 'https://echo.test/?d=X' };
          return [
            { kind: 'assistant', content: [{ kind: 'TOOL_CALL', toolCallId, toolName, args }] },
            { kind: 'tool_results', results: [{ toolCallId, output: `see ${secret}`, isError: false }] },
          ];
        });
        expect(isMentionedUrl(secret, [{ kind: 'user', content: 'go on' }, ...turns])).toBe(false);
      }),
    );
  });

  it('are found in a long text in one walk', () => {
    const text = `https://a.test/${'.'.repeat(200_000)}x ${'https://b.test/?!. '.repeat(5_000)}`;
    expect(mentionedUrls([{ kind: 'user', content: text }]).has('https://b.test/')).toBe(true);
  });
});

describe('web_search', () => {
  const hits = [
    { title: 'One', url: 'https://one.test/', snippet: 'first' },
    { title: 'Two', url: 'https://sub.two.test/' },
    { title: 'Bad', url: 'javascript:alert(1)' },
  ];

  it('shows what the service found, within the domains that were asked for', async () => {
    const tool = createWebSearchTool(async () => hits);
    expect((await run(tool, { query: 'words' })).output).toBe(
      '1. One\n   https://one.test/\n   first\n2. Two\n   https://sub.two.test/',
    );
    expect((await run(tool, { query: 'words', allowed_domains: ['two.test'] })).output).toContain('1. Two');
    expect((await run(tool, { query: 'words', blocked_domains: ['one.test', 'two.test'] })).output).toBe(
      'Nothing was found.',
    );
  });

  it('says what is wrong where there is no service, or it fails', async () => {
    expect(await run(createWebSearchTool(null), { query: 'words' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('No search service is configured'),
    });
    const broken = createWebSearchTool(async () => Promise.reject(new Error('no key')));
    expect(await run(broken, { query: 'words' })).toEqual({ output: 'The search failed: no key', isError: true });
  });
});
