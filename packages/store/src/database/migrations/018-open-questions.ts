/** Questions by whether they are open, then by task: what waits is found, and passed over, without reading the questions themselves. */
export const OPEN_QUESTIONS = {
  name: '018-open-questions',
  sql: `
create index prompts_open on prompts (status, task_id, id)
`,
};
