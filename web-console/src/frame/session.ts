import { api } from '../api/client';

/** Where to sign in and come back to the page a person is on. */
export function loginUrl(path = window.location.pathname + window.location.search): string {
  return `/auth/login?redirect=${encodeURIComponent(path)}`;
}

export function goToLogin(): void {
  window.location.assign(loginUrl());
}

/** Only a path of this origin is followed: an answer must not send a person elsewhere. */
export function sameOriginPath(target: string): string {
  const url = new URL(target, window.location.origin);
  return url.origin === window.location.origin ? url.pathname + url.search : '/';
}

export async function signOut(): Promise<void> {
  const { data } = await api.POST('/auth/logout');
  // The identity provider may end its own session first and then come back.
  window.location.assign(data?.redirect ?? '/signed-out');
}
