import type { CompactionOptions, CompactionTrigger } from '../compaction/contract.ts';
import type { SessionEvent } from '../types/index.ts';
import type { SessionHooks } from './session-hooks.ts';

/** Hooks know no overflow: it counts as automatic. */
const TRIGGERS: Readonly<Record<CompactionTrigger, 'auto' | 'manual'>> = {
  auto: 'auto',
  overflow: 'auto',
  manual: 'manual',
};

/** The session's compaction, with hooks called before any other check. */
export function hookedCompaction(
  options: CompactionOptions | undefined,
  hooks: SessionHooks | undefined,
): CompactionOptions | undefined {
  if (options === undefined || hooks === undefined) return options;
  return {
    ...options,
    beforeCompact: async (trigger, instructions) => {
      const told = { trigger: TRIGGERS[trigger], custom_instructions: instructions };
      const { block, stop } = await hooks.fire('PreCompact', told);
      const reason = stop ?? block;
      if (stop !== null) hooks.stop(stop);
      return reason === null ? options.beforeCompact?.(trigger, instructions) : { block: reason };
    },
  };
}

/** Called once the smaller conversation is recorded; what a session loads at its start is loaded again. */
export async function afterCompaction(hooks: SessionHooks | undefined, event: SessionEvent): Promise<void> {
  if (hooks === undefined || event.kind !== 'COMPACTED') return;
  await hooks.fire('PostCompact', { trigger: TRIGGERS[event.trigger], compact_summary: event.summary });
  if (hooks.isChild) return;
  const { context } = await hooks.fire('SessionStart', { source: 'compact' });
  hooks.tell('SessionStart', context);
}
