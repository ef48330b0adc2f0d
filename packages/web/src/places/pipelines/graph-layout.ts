import type { PipelineDefinition, PipelineStatus } from '@attractor/api';

export type PlacedStatus = { readonly status: PipelineStatus; readonly x: number; readonly y: number };

export type PlacedEdge = {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly path: string;
};

export type GraphLayout = {
  readonly width: number;
  readonly height: number;
  readonly statuses: ReadonlyArray<PlacedStatus>;
  readonly edges: ReadonlyArray<PlacedEdge>;
};

export const BOX = { width: 148, height: 40 } as const;
const GAP = { x: 72, y: 36 } as const;

/** Statuses in layers by how many steps they are from the first; transitions between them as curves. */
export function layOut({ statuses, transitions, initialStatus }: PipelineDefinition): GraphLayout {
  const layers = layersOf(statuses, transitions, initialStatus);
  const placed = layers.flatMap((layer, column) =>
    layer.map((status, row) => ({
      status,
      x: column * (BOX.width + GAP.x),
      y: row * (BOX.height + GAP.y) + 16,
    })),
  );
  const at = new Map(placed.map((one) => [one.status.id, one]));
  const edges = transitions.flatMap(({ id, from, to, label }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return start === undefined || end === undefined ? [] : [{ key: id, from, to, label, path: curve(start, end) }];
  });
  const height = Math.max(...layers.map((layer) => layer.length)) * (BOX.height + GAP.y) + 64;
  return { width: layers.length * (BOX.width + GAP.x), height, statuses: placed, edges };
}

function layersOf(
  statuses: PipelineDefinition['statuses'],
  transitions: PipelineDefinition['transitions'],
  initial: string,
): ReadonlyArray<ReadonlyArray<PipelineStatus>> {
  const depth = new Map([[initial, 0]]);
  const queue = [initial];
  for (let id = queue.shift(); id !== undefined; id = queue.shift())
    for (const { from, to } of transitions) {
      if (from !== id || depth.has(to)) continue;
      depth.set(to, (depth.get(id) ?? 0) + 1);
      queue.push(to);
    }
  const last = Math.max(...depth.values()) + 1;
  const layers = Array.from({ length: last + 1 }, (): PipelineStatus[] => []);
  for (const status of statuses.toSorted((a, b) => a.position - b.position))
    layers[depth.get(status.id) ?? last]?.push(status);
  return layers.filter((layer) => layer.length > 0);
}

/** Forward from side to side, backward below the boxes. */
function curve(start: PlacedStatus, end: PlacedStatus): string {
  const middle = BOX.height / 2;
  if (end.x > start.x) {
    const [x1, y1, x2, y2] = [start.x + BOX.width, start.y + middle, end.x, end.y + middle];
    return `M${x1} ${y1} C${x1 + GAP.x / 2} ${y1} ${x2 - GAP.x / 2} ${y2} ${x2} ${y2}`;
  }
  const [x1, y1, x2, y2] = [
    start.x + BOX.width / 2,
    start.y + BOX.height,
    end.x + BOX.width / 2 + 12,
    end.y + BOX.height,
  ];
  const low = Math.max(y1, y2) + GAP.y / 2 + 8;
  return `M${x1} ${y1} C${x1} ${low} ${x2} ${low} ${x2} ${y2}`;
}
