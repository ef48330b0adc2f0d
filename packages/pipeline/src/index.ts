export { askPerson, tellOfPrompt, withdrawPrompts } from './ask-person.ts';
export { BUILT_IN_PIPELINES } from './builtin/index.ts';
export { CODING } from './builtin/coding.ts';
export { FEATURE } from './builtin/feature.ts';
export { SIMPLE } from './builtin/simple.ts';
export { reachableOutcomes } from './decide.ts';
export { readPipelineDefinition } from './definition.ts';
export { fire, judgeStatus, moveTo, readOptions } from './engine.ts';
export { readFacts, unresolvedDependencies } from './facts.ts';
export { mermaidGraph, svgGraph } from './graph.ts';
export { readMarkers, withoutMarkers } from './outcomes/markers.ts';
export {
  ASKING_OUTCOMES,
  judgePayload,
  MODE_OUTCOMES,
  OUTCOME_SCHEMAS,
  outcomeChoices,
  readPayload,
} from './outcomes/schemas.ts';
export { promptText } from './prompt-text.ts';
export { startRun } from './start-run.ts';
export { stopRun } from './stop-run.ts';
export { wayInto } from './way-into.ts';
