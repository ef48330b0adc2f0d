import { describe, expect, it } from 'vitest';
import { BUILT_IN_PIPELINES } from './builtin/index.ts';
import { SIMPLE } from './builtin/simple.ts';
import { mermaidGraph, svgGraph } from './graph.ts';

describe('the picture of a pipeline', () => {
  it.each(BUILT_IN_PIPELINES.map((pipeline) => [pipeline.id, pipeline] as const))(
    'of %s shows every status and every transition',
    (_id, pipeline) => {
      const [mermaid, svg] = [mermaidGraph(pipeline), svgGraph(pipeline)];
      for (const { label } of pipeline.statuses) {
        expect(mermaid).toContain(`state "${label}" as`);
        expect(svg).toContain(`>${label}</text>`);
      }
      const named = pipeline.transitions.filter(({ from }) => from !== '*').length;
      expect(mermaid.match(/^ {2}s\d+ --> s\d+: /gm)?.length).toBe(named);
      expect(svg.match(/<title>/g)?.length).toBe(named);
      expect(svg).toContain('From anywhere');
    },
  );

  it('is well formed whatever the labels say', () => {
    const [first, ...others] = SIMPLE.statuses;
    if (first === undefined) throw new Error('no status');
    const hostile = { ...SIMPLE, name: '"><script>', statuses: [{ ...first, label: '<b>&"x";\n#:' }, ...others] };
    expect(svgGraph(hostile)).not.toMatch(/<script|<b>/);
    expect(mermaidGraph(hostile)).toContain('state "<b>& x" as s0');
  });
});
