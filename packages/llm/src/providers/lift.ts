import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { defined, isRecord } from '@attractor/base';
import { parseToolArgs } from '../tool-args.ts';
import type { FinishReason, Warning } from '../types/response.ts';
import type { StreamEvent } from '../types/stream.ts';
import type { Usage } from '../types/usage.ts';
import { liftFinishReason, liftUsage, liftWarning } from './lift-end.ts';

/** An opaque value that its provider wants back: a signature, or thinking that it keeps to itself. */
export type Proof = { readonly signature?: string; readonly redactedData?: string };

export type LiftContext = {
  readonly proofOf: (metadata: SharedV4ProviderMetadata | undefined) => Proof;
  /** Tool names as the caller knows them, by the name on the wire. */
  readonly toolNames: ReadonlyMap<string, string>;
  readonly newCallId: () => string;
  /** The provider's finish reason for a whole answer, if the SDK passes none on. */
  readonly finishWord?: string;
};

/**
 * The progress of a stream of SDK parts. `end` is set only by a real finish: an interruption is no end.
 * `held` keeps half a surrogate pair until its other half arrives, so that every delta is valid text.
 */
export type LiftState = {
  readonly started: boolean;
  readonly warnings: ReadonlyArray<Warning>;
  readonly responseId: string | undefined;
  readonly model: string | undefined;
  readonly held: Readonly<Record<string, string>>;
  readonly proofs: Readonly<Record<string, Proof>>;
  readonly openBlocks: ReadonlyArray<Block>;
  readonly openCalls: ReadonlyArray<string>;
  readonly unnamedCall: string;
  readonly argsSeen: boolean;
  readonly end: { readonly finishReason: FinishReason; readonly usage: Usage } | undefined;
};

type Block = { readonly kind: 'TEXT' | 'THINKING'; readonly id: string };

export type Lifted = {
  readonly state: LiftState;
  readonly events: ReadonlyArray<StreamEvent>;
  readonly failure?: { readonly error: unknown };
};

export const BEFORE_FIRST_PART: LiftState = {
  started: false,
  warnings: [],
  responseId: undefined,
  model: undefined,
  held: {},
  proofs: {},
  openBlocks: [],
  openCalls: [],
  unnamedCall: '',
  argsSeen: false,
  end: undefined,
};

/** One part of the SDK's stream as none, one or more of our events. */
export function liftPart(state: LiftState, part: LanguageModelV4StreamPart, context: LiftContext): Lifted {
  if (part.type === 'stream-start') {
    return quiet({ ...state, warnings: [...state.warnings, ...part.warnings.map(liftWarning)] });
  }
  if (part.type === 'response-metadata') {
    const named = { ...state, responseId: part.id ?? state.responseId, model: part.modelId ?? state.model };
    return begin(named, []);
  }
  if (part.type === 'raw' || part.type === 'ping') return quiet(state);
  const lifted = liftContent(state, part, context);
  const begun = begin(lifted.state, lifted.events);
  return lifted.failure === undefined ? begun : { ...begun, failure: lifted.failure };
}

/** STREAM_START waits for the response's id and model if the provider sends them first. */
function begin(state: LiftState, events: ReadonlyArray<StreamEvent>): Lifted {
  if (state.started) return { state, events };
  const start: StreamEvent = {
    kind: 'STREAM_START',
    ...defined({ responseId: state.responseId, model: state.model }),
    ...(state.warnings.length === 0 ? {} : { warnings: state.warnings }),
  };
  return { state: { ...state, started: true }, events: [start, ...events] };
}

function liftContent(state: LiftState, part: LanguageModelV4StreamPart, context: LiftContext): Lifted {
  switch (part.type) {
    case 'text-start':
      return { state: opened(state, { kind: 'TEXT', id: part.id }), events: [{ kind: 'TEXT_START', id: part.id }] };
    case 'text-delta':
      return liftText(state, { kind: 'TEXT_DELTA', id: part.id, delta: part.delta });
    case 'text-end':
      return closed(state, { kind: 'TEXT', id: part.id });
    case 'reasoning-start':
      return {
        state: opened(learn(state, part, context), { kind: 'THINKING', id: part.id }),
        events: [{ kind: 'THINKING_START', id: part.id }],
      };
    case 'reasoning-delta':
      return liftText(learn(state, part, context), { kind: 'THINKING_DELTA', id: part.id, delta: part.delta });
    case 'reasoning-end':
      return closed(learn(state, part, context), { kind: 'THINKING', id: part.id });
    case 'tool-input-start':
      return part.providerExecuted === true ? pass(state, part) : startCall(state, part, context);
    case 'tool-input-delta':
      return callDelta(state, part);
    case 'tool-input-end':
      return quiet(state);
    case 'tool-call':
      return part.providerExecuted === true ? pass(state, part) : endCall(state, part, context);
    case 'finish':
      return finish(state, part, context);
    case 'error':
      return liftError(state, part.error);
    case 'custom':
      // Repeats what STREAM_START and FINISH carry.
      return part.kind.endsWith('.message_start') ? quiet(state) : pass(state, part);
    default:
      return pass(state, part);
  }
}

function liftError(state: LiftState, error: unknown): Lifted {
  if (!isUnknownEvent(error)) return { state, events: [], failure: { error } };
  const said = errorIn(Reflect.get(error, 'value'));
  if (said !== null) return { state, events: [], failure: { error: { data: { error: said } } } };
  return pass(state, { unknown: String(error) });
}

/** An event in a form that the SDK does not know may still say that the service failed. */
function errorIn(event: unknown): unknown {
  if (!isRecord(event)) return null;
  const { type, error, response } = event;
  const said = error ?? (isRecord(response) ? response['error'] : undefined) ?? (type === 'error' ? event : null);
  return isRecord(said) || (typeof said === 'string' && said !== '') ? said : null;
}

function liftText(
  state: LiftState,
  change: { kind: 'TEXT_DELTA' | 'THINKING_DELTA'; id: string; delta: string },
): Lifted {
  const whole = (state.held[change.id] ?? '') + change.delta;
  const last = whole.charCodeAt(whole.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  const text = (isHalf ? whole.slice(0, -1) : whole).toWellFormed();
  const next =
    isHalf || state.held[change.id]
      ? { ...state, held: { ...state.held, [change.id]: isHalf ? whole.slice(-1) : '' } }
      : state;
  return { state: next, events: text === '' ? [] : [{ kind: change.kind, id: change.id, text }] };
}

function opened(state: LiftState, block: Block): LiftState {
  return { ...state, openBlocks: [...state.openBlocks, block] };
}

/** Half a pair whose other half never came is shown as the replacement character. */
function closed(state: LiftState, { kind, id }: Block): Lifted {
  const rest = state.held[id] ?? '';
  const delta: ReadonlyArray<StreamEvent> =
    rest === '' ? [] : [{ kind: `${kind}_DELTA`, id, text: rest.toWellFormed() }];
  const end: StreamEvent =
    kind === 'TEXT' ? { kind: 'TEXT_END', id } : { kind: 'THINKING_END', id, ...state.proofs[id] };
  const openBlocks = state.openBlocks.filter((block) => block.kind !== kind || block.id !== id);
  return {
    state: { ...state, openBlocks, held: rest === '' ? state.held : { ...state.held, [id]: '' } },
    events: [...delta, end],
  };
}

/** The ENDs of blocks that a broken or careless stream left open. */
export function openEnds(state: LiftState): ReadonlyArray<StreamEvent> {
  return state.openBlocks.flatMap((block) => closed(state, block).events);
}

type Proven = { readonly id: string; readonly providerMetadata?: SharedV4ProviderMetadata };

function learn(state: LiftState, { id, providerMetadata }: Proven, context: LiftContext): LiftState {
  const proof = context.proofOf(providerMetadata);
  if (proof.signature === undefined && proof.redactedData === undefined) return state;
  return { ...state, proofs: { ...state.proofs, [id]: { ...state.proofs[id], ...proof } } };
}

function startCall(
  state: LiftState,
  part: { readonly id: string; readonly toolName: string },
  context: LiftContext,
): Lifted {
  const toolCallId = part.id === '' ? context.newCallId() : part.id;
  const next = {
    ...state,
    openCalls: [...state.openCalls, toolCallId],
    unnamedCall: part.id === '' ? toolCallId : state.unnamedCall,
    argsSeen: false,
  };
  return { state: next, events: [{ kind: 'TOOL_CALL_START', toolCallId, toolName: ownName(part.toolName, context) }] };
}

function callDelta(state: LiftState, part: { readonly id: string; readonly delta: string }): Lifted {
  const toolCallId = part.id === '' ? state.unnamedCall : part.id;
  if (part.delta === '' || !state.openCalls.includes(toolCallId)) return quiet(state);
  return {
    state: { ...state, argsSeen: true },
    events: [{ kind: 'TOOL_CALL_DELTA', toolCallId, argsDelta: part.delta.toWellFormed() }],
  };
}

type CallPart = Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>;

/** Some providers send a call in one piece: its START and DELTA are then made here. */
function endCall(state: LiftState, part: CallPart, context: LiftContext): Lifted {
  const wireId = part.toolCallId === '' ? state.unnamedCall : part.toolCallId;
  if (!state.openCalls.includes(wireId)) {
    const begun = startCall(state, { id: part.toolCallId, toolName: part.toolName }, context);
    const id = begun.state.openCalls.at(-1) ?? '';
    const told = callDelta(begun.state, { id, delta: part.input });
    const ended = endCall(told.state, { ...part, toolCallId: id }, context);
    return { state: ended.state, events: [...begun.events, ...told.events, ...ended.events] };
  }
  const { signature } = context.proofOf(part.providerMetadata);
  const toolName = ownName(part.toolName, context);
  const call = {
    kind: 'TOOL_CALL' as const,
    toolCallId: wireId,
    toolName,
    ...parseToolArgs(part.input),
    ...defined({ signature }),
  };
  const openCalls = state.openCalls.toSpliced(state.openCalls.indexOf(wireId), 1);
  return { state: { ...state, openCalls }, events: [{ kind: 'TOOL_CALL_END', toolCallId: wireId, toolName, call }] };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

function finish(state: LiftState, part: FinishPart, context: LiftContext): Lifted {
  if (part.finishReason.unified === 'interrupted') return quiet(state);
  return quiet({
    ...state,
    end: { finishReason: liftFinishReason(part.finishReason, context.finishWord), usage: liftUsage(part.usage) },
  });
}

/** An event of a kind that this SDK does not know yet; text that is not JSON at all is a broken stream instead. */
function isUnknownEvent(error: unknown): error is Error {
  return error instanceof Error && error.name === 'AI_TypeValidationError';
}

function ownName(wireName: string, context: LiftContext): string {
  return context.toolNames.get(wireName) ?? wireName;
}

function quiet(state: LiftState): Lifted {
  return { state, events: [] };
}

function pass(state: LiftState, data: unknown): Lifted {
  return { state, events: [{ kind: 'PROVIDER_EVENT', data }] };
}
