import { describe, expect, it } from 'vitest';
import { classifyRemote } from './classify-remote.ts';

describe('what a remote says against a push', () => {
  it.each([
    ['!\trefs/heads/x:refs/heads/x\t[rejected] (fetch first)', 'conflict', false, 'Nothing is forced'],
    ['! [rejected] x -> x (non-fast-forward)', 'conflict', false, 'Nothing is forced'],
    ['remote: error: GH006: Protected branch update failed for refs/heads/main.', 'blocked', false, 'protects'],
    ['! [remote rejected] x -> x (pre-receive hook declined)', 'blocked', false, 'hook'],
    ['fatal: Authentication failed for https://example.test/', 'unavailable', false, 'refused access'],
    ['git@github.com: Permission denied (publickey).', 'unavailable', false, 'refused access'],
    [
      "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
      'unavailable',
      false,
      'refused access',
    ],
    ['ssh: Could not resolve hostname github.com', 'unavailable', true, 'reached'],
    ['fatal: unable to access: Failed to connect to example.test port 443', 'unavailable', true, 'reached'],
    ['git push took longer than 120000 ms and was stopped', 'unavailable', true, 'reached'],
    ["fatal: '/srv/x.git' does not appear to be a git repository", 'not_found', false, 'set-url'],
    ['ERROR: Repository not found.', 'not_found', false, 'set-url'],
    ['remote: fatal: unable to write loose object file: No space left on device', 'unavailable', true, 'make room'],
    ['something nobody has seen', 'unavailable', false, 'refused'],
  ])('%s', (said, code, retryable, words) => {
    const failure = classifyRemote(said, { remote: 'origin', branch: 'x' });
    expect(failure).toMatchObject({ code, retryable });
    expect(failure.message).toContain(words);
  });
});
