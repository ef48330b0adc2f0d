import { FirstTask } from '../../project/first-task.tsx';
import { Empty } from '../../ui/notice.tsx';

/** The way to a first task. */
export function NoTasks({ hasProject }: { readonly hasProject: boolean }) {
  return (
    <Empty title="No tasks yet">
      <p>{hasProject ? 'Describe what should change; an agent does it.' : 'Begin with a git repository.'}</p>
      <FirstTask />
    </Empty>
  );
}
