import { rowOf } from './names.ts';
import type { Args, Touch } from './touch.ts';

export function whatACallTouches({ toolName, args }: { readonly toolName: string; readonly args: Args }): Touch {
  return rowOf(toolName)?.touches(args) ?? { kind: 'own' };
}
