import { configureGlobal } from 'fast-check';

/**
 * The same cases in every run, so that a red run means a broken change. `npm run soak` draws new ones, and prints the seed of what it
 * finds.
 */
if (process.env['SOAK'] !== '1') configureGlobal({ seed: 20_260_815 });
