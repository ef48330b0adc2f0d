import type { ReactNode } from 'react';

type PanelProps = {
  readonly title: string;
  readonly side?: ReactNode;
  readonly flush?: boolean;
  readonly children: ReactNode;
};

export function Panel({ title, side, flush = false, children }: PanelProps) {
  return (
    <section aria-label={title} className="overflow-clip rounded-lg border border-line bg-panel">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 border-b border-line px-4 py-0.5">
        <h2 className="my-1.5 min-w-0 flex-[1_1_6rem] text-sm font-semibold wrap-anywhere">{title}</h2>
        {side}
      </div>
      <div className={flush ? '' : 'px-4 py-3'}>{children}</div>
    </section>
  );
}
