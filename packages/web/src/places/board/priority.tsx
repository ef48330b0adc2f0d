import type { Task } from '@attractor/api';
import { ChevronDown, ChevronsUp, ChevronUp, type LucideIcon } from 'lucide-react';

const MARKS: Readonly<Record<Exclude<Task['priority'], 'medium'>, readonly [LucideIcon, string]>> = {
  critical: [ChevronsUp, 'text-ink'],
  high: [ChevronUp, 'text-ink'],
  low: [ChevronDown, 'text-faint'],
};

/** How urgent a task is, where that is not as usual. */
export function PriorityMark({ priority }: Pick<Task, 'priority'>) {
  if (priority === 'medium') return null;
  const [Icon, look] = MARKS[priority];
  const text = `Priority ${priority}`;
  return (
    <span title={text} className={`shrink-0 ${look}`}>
      <Icon size={14} strokeWidth={2.6} role="img" aria-label={text} className="inline align-[-2px]" />
    </span>
  );
}
