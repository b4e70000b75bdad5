import { createContext, useContext } from 'react';
import type { Account, Me, Membership, Project } from '../api/types';

/** The account a page is about, with the project and organisation it stands in. */
export interface Here {
  me: Me;
  org: Membership;
  project: Project;
  account: Account;
}

const HereContext = createContext<Here | null>(null);

export const HereProvider = HereContext.Provider;

export function useHere(): Here {
  const here = useContext(HereContext);
  if (!here) throw new Error('useHere is used outside the frame of an account');
  return here;
}
