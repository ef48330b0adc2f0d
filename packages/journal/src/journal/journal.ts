import type { DeliveredEvent } from '../events/event.ts';

/**
 * An event as stored: plain JSON. `v` is the version of the record's shape; records of later versions and of unknown kinds are kept and
 * passed on unchanged. `seq` only grows; 0 is the header that describes the journal.
 */
export type JournalRecord = {
  readonly v: number;
  readonly seq: number;
  readonly at: string;
  readonly event: Readonly<Record<string, unknown>> & { readonly kind: string };
};

/**
 * Append-only, one writer. `append` returns once the record is in the kernel (it survives kill -9);
 * `sync` returns once everything appended survives a power cut. Records come back in the order of `seq`, none twice; those that a rewind
 * removed from the conversation don't come back.
 */
export type Journal = {
  readonly append: (event: DeliveredEvent) => void;
  readonly sync: () => void;
  readonly read: (afterSeq?: number) => ReadonlyArray<JournalRecord>;
  /** The same one by one: for journals that are larger than memory. */
  readonly records?: (afterSeq?: number) => Iterable<JournalRecord>;
  /**
   * The same for a fold over everything: a large output is read on first access, and TOOL_CALL_START only needs the call and the tool. A
   * large output that is damaged, rather than missing, shows only then. Null: discard everything so far, the fold starts again.
   */
  readonly outline?: () => Iterable<JournalRecord | null>;
  /** What can't be read back; nothing else is affected. */
  readonly damaged?: ReadonlyArray<DamagedRecord>;
  readonly close: () => void;
};

export type DamagedRecord = { readonly line: number; readonly bytes: number };
