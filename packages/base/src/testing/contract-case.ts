/** One rule of a port, for any test runner: `for (const { name, run } of cases) it(name, run)`. Rejects if the rule is broken. */
export type ContractCase = { readonly name: string; readonly run: () => Promise<void> };

/** Each case gets its own world, which is disposed of afterwards. */
export function casesOf<W extends { readonly dispose?: () => void | Promise<void> }>(
  make: () => W | Promise<W>,
  rules: Readonly<Record<string, (world: W) => void | Promise<void>>>,
): ReadonlyArray<ContractCase> {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    run: async () => {
      const world = await make();
      try {
        await rule(world);
      } finally {
        await world.dispose?.();
      }
    },
  }));
}
