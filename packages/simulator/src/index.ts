export { loadScript, parseScript, type ScriptError, type ScriptResult } from './script/load.ts';
export type { Script, ScriptInput } from './script/types.ts';
export { createScriptedModel, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';
export type { RecordedRequest, Recording, RequestFilter, ScriptFailure } from './record.ts';
export { bodyOf, type DeliveryStep, type SimulatedRequest, type SimulatedResponse } from './wire/http.ts';
export { CONVERSATION_HEADER } from './conversation/identify.ts';
