import { describe, expect, it } from 'vitest';
import { parseBatchLine } from './batch-line.ts';
import { explain } from './explain.ts';
import { judgeLine, type Answer } from './judge-line.ts';

const shell = await import('@attractor/shell');

function judge(line: object): Answer {
  const parsed = parseBatchLine(JSON.stringify(line));
  if ('wrong' in parsed) throw new Error(parsed.wrong);
  return judgeLine(
    parsed,
    shell.readShell(parsed.command, { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' }),
    shell,
  );
}

describe('a line', () => {
  it.each([
    [{ command: 'ls' }, 'allow'],
    [{ command: 'touch a' }, 'ask'],
    [{ command: 'rm -rf /' }, 'deny'],
    [{ command: 'touch a', mode: 'auto' }, 'allow'],
    [{ command: 'echo x > a.txt', mode: 'auto' }, 'allow'],
    [{ command: 'npm test', mode: 'auto' }, 'allow'],
    [{ command: 'echo x > .git/config', mode: 'auto' }, 'deny'],
    [{ command: 'curl http://x.test', mode: 'auto' }, 'ask'],
    [{ command: 'touch ../a', mode: 'auto' }, 'ask'],
    [{ command: 'rm -rf ~', mode: 'auto' }, 'deny'],
    [{ command: 'git log -3', mode: 'rules', allow: ['git log'] }, 'allow'],
    [{ command: 'git log; ./x', mode: 'rules', allow: ['git log'] }, 'ask'],
    [{ command: 'git logs', mode: 'rules', allow: ['git log'] }, 'ask'],
    [{ command: 'git log && npm run lint', mode: 'rules', allow: ['git log', 'Bash(npm run *)'] }, 'allow'],
    [{ command: 'ls', mode: 'rules', default: 'deny' }, 'deny'],
    [{ command: 'ls', mode: 'rules', default: 'allow' }, 'allow'],
    [{ command: 'ls $(', mode: 'rules', default: 'allow' }, 'ask'],
    [{ command: 'cat a > b', mode: 'rules', allow: ['cat'] }, 'ask'],
    [{ command: 'ls && npm test', deny: ['npm'], mode: 'auto' }, 'deny'],
    [{ command: 'ls', ask: ['Bash(ls *)'] }, 'ask'],
    [{ command: 'ls', deny: ['ls'], allow: ['ls'], mode: 'rules' }, 'deny'],
    [{ command: 'sudo rm a', deny: ['rm'], allow: ['Bash'], mode: 'rules' }, 'deny'],
    [{ command: '' }, 'ask'],
  ])('%j is answered with %s', (line, decision) => {
    expect(judge(line).decision).toBe(decision);
  });

  it.each([
    '',
    'x',
    '[]',
    '{}',
    '{"command":1}',
    '{"command":"ls","mode":"x"}',
    '{"command":"ls","allow":"ls"}',
    '{"command":"ls","default":"no"}',
    '{"command":"ls","cwd":1}',
  ])('that says %j is told what is wrong', (text) => {
    expect(parseBatchLine(text)).toHaveProperty('wrong');
  });
});

describe('an explanation', () => {
  const explained = (command: string): string => {
    const reading = shell.readShell(command, { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' });
    return explain(judge({ command }), reading, shell);
  };

  it('names each part, its effect and the smallest rule', () => {
    expect(explained('cd src && npm run build')).toBe(
      'ask: npm is not known to only read\n\nreads     cd src\n          only reads\nasks      npm run build\n          npm is not known to only read\n\nThe smallest rule that would allow it, for "permissions.allow":\n  "Bash(npm run build)"\n',
    );
  });

  it('shows no control character of the command', () => {
    expect(explained('ls \u001b]0;x\u0007 \u202e')).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});
