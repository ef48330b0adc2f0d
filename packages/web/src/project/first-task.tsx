import { Link } from 'wouter';
import { useProject } from '../data/project.ts';
import { For } from '../data/role.tsx';
import { buttonClass } from '../ui/button.tsx';

/** Leads on from a place that fills with the first task. */
export function FirstTask() {
  const hasProject = useProject().projects.length > 0;
  return (
    <For least="operator">
      <Link href={hasProject ? '/new' : '/start'} className={`${buttonClass('primary')} mt-4`}>
        {hasProject ? 'New task' : 'Begin'}
      </Link>
    </For>
  );
}
