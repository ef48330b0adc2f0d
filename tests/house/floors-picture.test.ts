import { describe, expect, it } from 'vitest';
import { floorsPicture, withPicture } from './floors-picture.ts';
import { FLOORS } from './import-direction.ts';
import { judge } from './planted.ts';

const page = (picture: string) => `# Map\n\n## Floors\n\nDown only.\n\n\`\`\`\n${picture}\`\`\`\n\n## Next\n`;
const DRAWN = withPicture(page(''));

describe('the picture of the floors', () => {
  it('shows every package that has a floor, the highest floor first', () => {
    const words = DRAWN.split(/[\s·]+/);
    expect(Object.keys(FLOORS).filter((name) => !words.includes(name))).toEqual([]);
    const numbers = DRAWN.split('\n').flatMap((line) => /^ *(\d+) {3}/.exec(line)?.[1] ?? []);
    expect(numbers.map(Number)).toEqual(
      [...new Set(Object.values(FLOORS))].toSorted((one, other) => one - other).toReversed(),
    );
  });

  it('tells who takes from fewer places, who is safe in a browser, and what stands beside', () => {
    expect(DRAWN).toContain('web (→ api, base only)');
    expect(DRAWN).toContain('api (browser-safe: only types from below)');
    expect(DRAWN).toContain('beside: simulator (imports none of ours; used by cli, tests, examples, bench)');
  });

  it('is accepted as drawn, and drawing it again changes nothing', () => {
    expect(judge(floorsPicture, { 'AGENTS.md': DRAWN })).toEqual([]);
    expect(withPicture(DRAWN)).toBe(DRAWN);
  });

  it.each([
    ['a forgotten package', DRAWN.replace('executor', '')],
    ['a package on another floor', DRAWN.replace(/^ *\d+(.*\bllm\b)/m, '99$1')],
    ['an empty picture', page('')],
    ['no picture', '# Map\n\n## Floors\n\nDown only.\n\n## Next\n\n```\nllm\n```\n'],
  ])('is refused with %s', (_what, text) => {
    expect(judge(floorsPicture, { 'AGENTS.md': text })).toEqual([expect.stringContaining('AGENTS.md')]);
  });

  it('touches nothing else on the page', () => {
    expect(withPicture(page('old\n')).split('```')[0]).toBe(page('').split('```')[0]);
    expect(withPicture(page('old\n')).split('```')[2]).toBe(page('').split('```')[2]);
  });
});
