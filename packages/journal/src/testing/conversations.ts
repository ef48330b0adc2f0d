import fc from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import type { MadeConversation } from './conversation-events.ts';

const size = fc.constantFrom(0, 5, 300, 17_000, 40_000);

/** Any conversation, with outputs small and large, several calls at once, and steering. */
export const anyConversation: fc.Arbitrary<MadeConversation> = fc.array(
  fc.record(
    {
      text: fc.string({ unit: anyCharacter(), maxLength: 40 }),
      rounds: fc.array(fc.array(size, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      steering: fc.string({ maxLength: 20 }),
    },
    { requiredKeys: ['text', 'rounds'] },
  ),
  { maxLength: 4 },
);
