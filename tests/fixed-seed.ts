import { configureGlobal } from 'fast-check';

/**
 * The same cases in every run, so that a red run means a broken change. `npm run soak` draws new ones, and prints the seed of what it
 * finds: with that in SOAK_SEED it draws the same again.
 */
const given = process.env['SOAK'] === '1' ? process.env['SOAK_SEED'] : '20260815';
if (given !== undefined) configureGlobal({ seed: Number(given) });
