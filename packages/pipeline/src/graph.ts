import type { PipelineDefinition, PipelineStatus, PipelineTransition, StatusCategory } from '@attractor/store';

/** The pipeline as a Mermaid state diagram: wildcards are shown as a note, so that the picture stays readable. */
export function mermaidGraph(pipeline: PipelineDefinition): string {
  const names = new Map(pipeline.statuses.map(({ id }, index) => [id, `s${index}`]));
  const name = (id: string): string => names.get(id) ?? 'unknown';
  const lines = [
    'stateDiagram-v2',
    '  direction LR',
    ...pipeline.statuses.map(({ id, label }) => `  state "${mermaidText(label)}" as ${name(id)}`),
    `  [*] --> ${name(pipeline.initialStatus)}`,
    ...pipeline.transitions
      .filter(({ from }) => from !== '*')
      .map((step) => `  ${name(step.from)} --> ${name(step.to)}: ${mermaidText(describe(step))}`),
    ...pipeline.terminalStatuses.map((id) => `  ${name(id)} --> [*]`),
  ];
  const anywhere = pipeline.transitions.filter(({ from }) => from === '*');
  if (anywhere.length > 0) {
    lines.push(`  note right of ${name(pipeline.initialStatus)}`);
    for (const step of anywhere)
      lines.push(`    from anywhere to ${mermaidText(labelOf(pipeline, step.to))}: ${mermaidText(describe(step))}`);
    lines.push('  end note');
  }
  return `${lines.join('\n')}\n`;
}

const BOX = { width: 160, height: 44, gapX: 90, gapY: 70, margin: 30 } as const;

const FILLS: Readonly<Record<StatusCategory, string>> = {
  backlog: '#e5e7eb',
  active: '#bfdbfe',
  review: '#ddd6fe',
  waiting: '#fde68a',
  done: '#bbf7d0',
  blocked: '#fecaca',
};

type Placed = { readonly status: PipelineStatus; readonly x: number; readonly y: number };

/** The same as an SVG that needs only a viewer: columns by the number of steps from the start. */
export function svgGraph(pipeline: PipelineDefinition): string {
  const placed = placeStatuses(pipeline);
  const width = Math.max(...placed.map(({ x }) => x)) + BOX.width + BOX.margin;
  const height = Math.max(...placed.map(({ y }) => y)) + BOX.height + BOX.margin + 20;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${xml(pipeline.name)}">`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#6b7280"/></marker></defs>',
    ...pipeline.transitions.filter(({ from }) => from !== '*').map((step) => svgArrow(step, placed)),
    ...placed.map((box) => svgBox(box, pipeline)),
    ...svgNotes(pipeline, height),
    '</svg>',
    '',
  ].join('\n');
}

function placeStatuses(pipeline: PipelineDefinition): ReadonlyArray<Placed> {
  const depths = new Map([[pipeline.initialStatus, 0]]);
  for (const [id, depth] of depths)
    for (const { from, to } of pipeline.transitions) if (from === id && !depths.has(to)) depths.set(to, depth + 1);
  const last = Math.max(...depths.values()) + 1;
  const rows = new Map<number, number>();
  return pipeline.statuses.map((status) => {
    const column = depths.get(status.id) ?? last;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return {
      status,
      x: BOX.margin + column * (BOX.width + BOX.gapX),
      y: BOX.margin + row * (BOX.height + BOX.gapY),
    };
  });
}

function svgBox({ status, x, y }: Placed, pipeline: PipelineDefinition): string {
  const ends = pipeline.terminalStatuses.includes(status.id);
  const stroke = ends ? '#111827' : '#6b7280';
  return `<g><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="${FILLS[status.category]}" stroke="${stroke}" stroke-width="${ends ? 2 : 1}"/><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 4}" text-anchor="middle">${xml(status.label)}</text></g>`;
}

function svgArrow(step: PipelineTransition, placed: ReadonlyArray<Placed>): string {
  const from = placed.find(({ status }) => status.id === step.from);
  const to = placed.find(({ status }) => status.id === step.to);
  if (from === undefined || to === undefined) return '';
  const forward = to.x > from.x;
  const [x1, y1] = [
    forward ? from.x + BOX.width : from.x + BOX.width / 2,
    from.y + (forward ? BOX.height / 2 : BOX.height),
  ];
  const [x2, y2] = [forward ? to.x : to.x + BOX.width / 2, to.y + (forward ? BOX.height / 2 : BOX.height)];
  const bend = forward ? 0 : BOX.gapY / 2;
  const [midX, midY] = [(x1 + x2) / 2, (y1 + y2) / 2 + bend];
  const dashes = step.trigger.type === 'manual' ? '' : ' stroke-dasharray="4 3"';
  return `<g><path d="M${x1} ${y1} Q${midX} ${midY} ${x2} ${y2}" fill="none" stroke="#6b7280"${dashes} marker-end="url(#head)"><title>${xml(describe(step))}</title></path></g>`;
}

function svgNotes(pipeline: PipelineDefinition, height: number): ReadonlyArray<string> {
  const notes = pipeline.transitions
    .filter(({ from }) => from === '*')
    .map((step) => `${describe(step)} → ${labelOf(pipeline, step.to)}`);
  if (notes.length === 0) return [];
  return [`<text x="${BOX.margin}" y="${height - 10}" fill="#374151">From anywhere: ${xml(notes.join('; '))}</text>`];
}

function labelOf(pipeline: PipelineDefinition, id: string): string {
  return pipeline.statuses.find((status) => status.id === id)?.label ?? id;
}

function describe({ label, trigger, guards = [] }: PipelineTransition): string {
  const by = trigger.type === 'agent_outcome' ? trigger.outcome : trigger.type;
  const only = guards.length === 0 ? '' : ` if ${guards.map(({ type }) => type).join(', ')}`;
  return `${label} (${by}${only})`;
}

function mermaidText(text: string): string {
  return text.replaceAll(/["#;:\n]/g, ' ').trim();
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char).replaceAll(/\p{Cc}/gu, ' ');
}
