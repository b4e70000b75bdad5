/** The policy of the identity provider, as far as it can be said before asking. */
export const SHORTEST_PASSWORD = 12;

export function passwordProblem(password: string): string | null {
  if (password.length >= SHORTEST_PASSWORD) return null;
  const so = password.length === 0 ? 'A password is needed' : `${password.length} characters so far`;
  return `${so}; ${SHORTEST_PASSWORD} is the least.`;
}
