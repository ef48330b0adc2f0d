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

/** The first task for it. */
export const SAMPLE_TASK = {
  title: 'Slugs must be safe in a URL',
  description:
    'Accents, punctuation and repeated separators must not reach a slug. The tests in test/slugify.test.js say exactly what is expected; two of them fail today. Change src/slugify.js only.',
};
