import { expect, it } from 'vitest';
import { refusedVariable } from './flags-of-others.ts';

it.each(['CLAUDE_CODE_USE_FOUNDRY', 'CLAUDE_CODE_USE_MANTLE', 'CLAUDE_CODE_USE_ANTHROPIC_AWS'])(
  'a service that %s chooses is not asked here, and no other one in its place',
  (name) => {
    expect(refusedVariable({ [name]: '1' })).toMatch(new RegExp(`set \\w+.* \\(${name}\\)\\.$`));
    expect(refusedVariable({ [name]: '0', ANTHROPIC_API_KEY: 'k' })).toBeNull();
  },
);
