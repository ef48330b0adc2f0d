/**
 * Loaded when a cron line is parsed, under a name that the bundle keeps: a bundled CommonJS package that is imported at run time has none.
 */
export { CronExpressionParser } from 'cron-parser';
