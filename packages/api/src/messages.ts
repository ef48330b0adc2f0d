/** What an agent did and is doing, as `agent.message` events carry it in `data.message` and as live deltas bring it. */
export type { AgentDelta as TranscriptDelta, AgentMessage as TranscriptMessage } from '@attractor/platform';
