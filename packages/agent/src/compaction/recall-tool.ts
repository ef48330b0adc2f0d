import type { SessionView } from '../conversation/view.ts';
import { failure } from '../tools/arguments.ts';
import type { RegisteredTool } from '../types/index.ts';
import { transcriptOf } from './transcript.ts';

const RECALL = 'recall';

const PAGE_CHARS = 20_000;

/** Returns, word for word, what a compaction left out. It changes nothing, and is always offered so that the prompt stays the same. */
export function createRecallTool(view: () => SessionView): RegisteredTool {
  return {
    definition: {
      name: RECALL,
      description:
        'Shows a part of this conversation that was left out when it was compacted, word for word, by its id (c1, c2, ...).',
      parameters: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'The id of the part.' },
          turn: { type: 'integer', description: 'Begin at this turn.' },
          offset: { type: 'integer', minimum: 0, description: 'Go on after so many characters.' },
        },
        required: ['id'],
        additionalProperties: false,
      },
    },
    executor: async (args) => {
      const { turns, compaction } = view();
      const spans = compaction?.spans ?? [];
      const span = spans.find(({ id }) => id === args['id']);
      if (span === undefined) {
        const known = spans.map(({ id }) => id).join(', ');
        return failure(
          known === '' ? 'Nothing was left out of this conversation.' : `No such part. There are: ${known}.`,
        );
      }
      const wanted = numberOf(args['turn'], span.from + 1) - 1;
      const from = Math.min(Math.max(wanted, span.from), span.to - 1);
      const text = transcriptOf(turns.slice(from, span.to), { first: from + 1 });
      const offset = Math.max(0, numberOf(args['offset'], 0));
      const page = text.slice(offset, offset + PAGE_CHARS);
      const left = text.length - offset - page.length;
      return left <= 0 ? page : `${page}\n[${left} characters more: call again with offset ${offset + page.length}]`;
    },
    readOnly: true,
  };
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : otherwise;
}
