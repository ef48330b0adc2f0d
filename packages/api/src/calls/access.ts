import { accessRoutes, type SessionInfo, type SignInKey } from '../access.ts';
import { post, type HttpOptions } from '../http.ts';

export function accessCalls(http: HttpOptions) {
  return {
    login: (key: string) => post<SessionInfo>(http, accessRoutes.login, { key }),
    logout: () => post<{ readonly done: true }>(http, accessRoutes.logout),
    session: () => post<SessionInfo>(http, accessRoutes.session),
    mintKey: () => post<SignInKey>(http, accessRoutes.keys),
  };
}
