import type { DeliveredEvent } from '../types/index.ts';

/** An event as stored: plain JSON, `v` is the version of the record's shape. Unknown kinds are kept and passed over. */
export type JournalRecord = {
  readonly v: 1;
  readonly seq: number;
  readonly at: string;
  readonly event: Readonly<Record<string, unknown>> & { readonly kind: string };
};

/**
 * Append-only, one writer. `append` returns once the record is in the kernel (it survives kill -9);
 * `sync` returns once all that was appended survives a power cut. Records come back in the order of `seq`, none twice.
 */
export type Journal = {
  readonly append: (event: DeliveredEvent) => void;
  readonly sync: () => void;
  readonly read: (afterSeq?: number) => ReadonlyArray<JournalRecord>;
  readonly close: () => void;
};
