import type { ProviderFactory } from '@attractor/executor';
import type { ApiTime } from '@attractor/stream-json';

/** The same provider, with the time until each of its answers counted; the tools that we run for it meanwhile do not count. */
export function timedProvider({ id, open }: ProviderFactory, time: ApiTime): ProviderFactory {
  return {
    id,
    open: (host) => {
      const inner = open({ ...host, runTool: (call, reply) => time.own(() => host.runTool(call, reply)) });
      const { continueSession, close } = inner;
      return {
        createSession: (spec, root) => inner.createSession(spec, root),
        resumeSession: (sessionId) => inner.resumeSession(sessionId),
        sendMessage: (session, message) => time.wait(() => inner.sendMessage(session, message)),
        submitToolResults: (session, results) => time.wait(() => inner.submitToolResults(session, results)),
        ...(continueSession !== undefined && {
          continueSession: (session, message) => time.wait(() => continueSession.call(inner, session, message)),
        }),
        ...(close !== undefined && { close: () => close.call(inner) }),
      };
    },
  };
}
