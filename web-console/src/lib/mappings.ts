import type { SubjectMapping } from '../api/types';
import { subjectProblem } from './subject';

/** Why a mapping cannot be saved; null when it can. */
export function mappingProblem(mapping: SubjectMapping): string | null {
  const subject = subjectProblem(mapping.subject);
  if (subject) return mapping.subject === '' ? 'The subject that is mapped is needed.' : subject;
  if (mapping.destinations.length === 0) return `${mapping.subject} goes nowhere: add a destination.`;
  const sums = new Map<string, number>();
  for (const destination of mapping.destinations) {
    // References to wildcards are tokens as others, and {{…}} may hold commas.
    const problem = subjectProblem(destination.subject.replace(/\{\{[^}]*\}\}|\$\d+/g, 'x'));
    if (problem) return destination.subject === '' ? 'Every destination needs a subject.' : problem;
    const weight = destination.weight ?? 100;
    if (!Number.isInteger(weight) || weight < 1 || weight > 100) return `${weight} is not a share from 1 to 100 percent.`;
    const cluster = destination.cluster ?? '';
    sums.set(cluster, (sums.get(cluster) ?? 0) + weight);
  }
  for (const [cluster, sum] of sums) {
    if (sum > 100) return `The weights ${cluster ? `in ${cluster} ` : ''}add up to ${sum} %, more than the whole.`;
  }
  return null;
}

/** What is left of the whole: those messages keep their subject. */
export function restWeight(mapping: SubjectMapping): number {
  return Math.max(0, 100 - mapping.destinations.filter((entry) => !entry.cluster).reduce((sum, entry) => sum + (entry.weight ?? 100), 0));
}

/** Where a message on a subject goes, with the share of each way; null when the mapping does not match. */
export function applyMapping(mapping: SubjectMapping, subject: string): { subject: string; weight: number; cluster: string | null }[] | null {
  const pattern = mapping.subject.split('.');
  const tokens = subject.split('.');
  const wild: string[] = [];
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === '>') {
      if (tokens.length <= i) return null;
      return outcomes(mapping, wild, tokens.slice(i).join('.'));
    }
    if (tokens[i] === undefined) return null;
    if (pattern[i] === '*') wild.push(tokens[i] as string);
    else if (pattern[i] !== tokens[i]) return null;
  }
  return tokens.length === pattern.length ? outcomes(mapping, wild, '') : null;
}

function outcomes(mapping: SubjectMapping, wild: readonly string[], rest: string): { subject: string; weight: number; cluster: string | null }[] {
  let at = 0;
  return mapping.destinations.map((destination) => {
    at = 0;
    const tokens = destination.subject.split('.').map((token) => {
      const numbered = /^\$(\d+)$/.exec(token) ?? /^\{\{\s*wildcard\(\s*(\d+)\s*\)\s*\}\}$/i.exec(token);
      if (numbered) return wild[Number(numbered[1]) - 1] ?? token;
      if (token === '*') return wild[at++] ?? token;
      if (token === '>') return rest;
      return token;
    });
    return { subject: tokens.join('.'), weight: destination.weight ?? 100, cluster: destination.cluster ?? null };
  });
}
