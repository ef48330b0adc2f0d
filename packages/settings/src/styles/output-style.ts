import type { SettingOrigin } from '../settings/origin.ts';

/** The style in which the agent answers. It adds to the agent's instructions; it removes nothing. */
export type OutputStyle = {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly origin: SettingOrigin;
};

/** The style of a name, in any case; null for none, and for the name that means no style. */
export function styleNamed(styles: ReadonlyArray<OutputStyle>, name: string): OutputStyle | null {
  return styles.find((style) => style.name.toLowerCase() === name.toLowerCase()) ?? null;
}
