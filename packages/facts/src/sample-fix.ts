/** The one change that the sample repository asks for: with it all of its tests pass. */
export const SAMPLE_FIX = {
  path: 'src/slugify.js',
  before: `  return title.toLowerCase().replaceAll(' ', '-')`,
  after: `  return title
    .normalize('NFKD')
    .replace(/\\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')`,
} as const;
