import { covers, type Role } from '@attractor/api';
import { createContext, type ReactNode, use } from 'react';

/** What the person who is signed in may do. */
export const OwnRole = createContext<Role>('viewer');

export function useRole(): Role {
  return use(OwnRole);
}

export function useMay(role: Role): boolean {
  return covers(useRole(), role);
}

const PEOPLE = { viewer: 'Anybody', operator: 'Operators and admins', admin: 'Admins' } as const;

/** Who else could do it, where the person can't. */
export function whoMay(role: Role, what: string): string {
  return `${PEOPLE[role]} can ${what}.`;
}

type ForProps = {
  /** The role that is needed at least. */
  readonly least: Role;
  /** Said instead, if anything should be: “Operators and admins can …”. */
  readonly what?: string;
  readonly children: ReactNode;
};

/** Only for those who may: nobody sees a button that would be refused. */
export function For({ least, what, children }: ForProps) {
  if (useMay(least)) return children;
  return what === undefined ? null : <p className="text-sm text-faint">{whoMay(least, what)}</p>;
}
