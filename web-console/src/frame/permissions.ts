import { usePrincipal } from '../api/resources';
import type { Permission, Principal } from '../api/types';
import { useHere } from './here';

/** Why a permission is missing, in words for a blocked button; null when it is there. */
export function denied(principal: Principal | undefined, org: string, project: string, permission: Permission): string | null {
  const found = principal?.organizations.find((entry) => entry.id === org);
  // Until it is known the button stays free: the API refuses by itself.
  if (!found) return null;
  const inProject = (found.project_permissions as Record<string, Permission[]>)[project] ?? [];
  if (found.permissions.includes(permission) || inProject.includes(permission)) return null;
  return `Your role${found.role ? `, ${found.role},` : ''} does not include ${permission} here. An owner or admin can give it.`;
}

export function useDenied(permission: Permission): string | null {
  const here = useHere();
  const principal = usePrincipal();
  return denied(principal.data, here.org.id, here.project.id, permission);
}
