/** A list that does not hold all: `left` is how many more there are, `some` if nobody counted them. */
export type Listed<Item> = { readonly ok: true; readonly value: ReadonlyArray<Item>; readonly left: Left };

export type Left = number | 'some';

/** Where an answer says over HTTP what it leaves out. Absent: nothing. */
export const LEFT_HEADER = 'x-left';

/** The first `limit` of rows of which one more was read than was wanted. */
export function firstOf<Item>(rows: ReadonlyArray<Item>, limit: number): Listed<Item> {
  return { ok: true, value: rows.slice(0, limit), left: rows.length > limit ? 'some' : 0 };
}

/** What the answer to a call leaves out. */
export function leftOf(answer: object): Left {
  const left: unknown = Reflect.get(answer, 'left');
  return typeof left === 'number' || left === 'some' ? left : 0;
}

export function readLeft(header: string | null): Left {
  return header === 'some' ? header : Number(header ?? 0);
}
