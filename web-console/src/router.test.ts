import { createMemoryHistory } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { SHOTS } from '../e2e/pictured/list';
import { makeRouter } from './router';

const paths = SHOTS.map((shot) => shot.path.replace(/[?#].*$/, ''));

/** "/accounts/$account/kv/~new" as an expression for addresses; no resource begins with a tilde. */
function addresses(route: string): RegExp {
  const parts = route.split('/').filter(Boolean).map((part) => (part.startsWith('$') ? '[^/~][^/]*' : part.replace(/[^\w-]/g, '\\$&')));
  return new RegExp(`^/${parts.join('/')}$`);
}

describe('pictures of the console', () => {
  const router = makeRouter(createMemoryHistory());

  it.each(Object.keys(router.routesByPath))('show the page at %s', (route) => {
    expect(paths.filter((path) => addresses(route).test(path))).not.toEqual([]);
  });

  it('have names of their own', () => {
    expect(new Set(SHOTS.map((shot) => shot.name)).size).toBe(SHOTS.length);
  });
});
