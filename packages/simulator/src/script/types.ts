import type { z } from 'zod';
import type { scriptSchema } from './schema.ts';

/** What a person writes: YAML or JSON of this shape. */
export type ScriptInput = z.input<typeof scriptSchema>;

type Parsed = z.output<typeof scriptSchema>;

/**
 * A checked script. The shorthand is gone: there is always a list of conversations, and every regular
 * expression in it compiles.
 */
export interface Script extends Omit<Parsed, 'conversations' | 'turns' | 'otherwise' | 'capture'> {
  conversations: Conversation[];
}

export type Conversation = NonNullable<Parsed['conversations']>[number];
export type Turn = Conversation['turns'][number];
export type Pattern = NonNullable<NonNullable<Conversation['match']>['system']>;
export type Match = NonNullable<Conversation['match']>;
export type Capture = NonNullable<Conversation['capture']>;
export type Expectation = Exclude<NonNullable<Turn['expect']>, readonly unknown[]>;
export type ScriptedCall = NonNullable<Turn['toolCalls']>[number];
export type AbstractCall = Extract<ScriptedCall, { use: string }>;
export type Fault = Exclude<NonNullable<Turn['fault']>, readonly unknown[]>;
export type FaultKind = Fault['kind'];
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;
