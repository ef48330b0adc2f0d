/** What an agent did and is doing, as in `data.message` of `agent.message` events and in live deltas. */
export type { AgentDelta as TranscriptDelta, AgentMessage as TranscriptMessage } from '@attractor/platform';
