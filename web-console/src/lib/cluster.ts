import type { ClusterNode } from '../api/types';
import { plural } from './format';

export interface Zone {
  /** Null for nodes that tell none. */
  name: string | null;
  nodes: ClusterNode[];
}

/** Nodes by zone, in the order of the zones; those without one last. */
export function byZone(nodes: readonly ClusterNode[]): Zone[] {
  const zones = new Map<string | null, ClusterNode[]>();
  for (const node of nodes) zones.set(node.zone, [...(zones.get(node.zone) ?? []), node]);
  return [...zones]
    .map(([name, members]) => ({ name, nodes: members }))
    .sort((a, b) => (a.name === null ? 1 : b.name === null ? -1 : a.name.localeCompare(b.name)));
}

export function zoneWords(nodes: readonly ClusterNode[]): string {
  const serving = nodes.filter((node) => node.state !== 'gone').length;
  return `${serving} of ${nodes.length} serving`;
}

export function nodeWords(node: ClusterNode): string {
  return `${plural(node.replicas, 'replica')}, leads ${node.leaders}`;
}
