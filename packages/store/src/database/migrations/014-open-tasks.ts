/** Tasks by where they are in their pipeline: what ended, which is most, is not looked at to find what waits. */
export const OPEN_TASKS = {
  name: '014-open-tasks',
  sql: `
drop index tasks_by_pipeline;
create index tasks_by_pipeline on tasks (pipeline_id, pipeline_version, status, id)
`,
};
