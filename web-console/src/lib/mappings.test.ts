import { describe, expect, it } from 'vitest';
import { applyMapping, mappingProblem, restWeight } from './mappings';

describe('a mapping', () => {
  it('is refused when the weights are more than the whole, cluster by cluster', () => {
    const over = { subject: 'a', destinations: [{ subject: 'b', weight: 60 }, { subject: 'c', weight: 50 }] };
    expect(mappingProblem(over)).toContain('110 %');
    expect(mappingProblem({ subject: 'a', destinations: [{ subject: 'b', weight: 60 }, { subject: 'c', weight: 50, cluster: 'eu' }] })).toBeNull();
  });
  it('keeps the rest on the old subject', () => {
    expect(restWeight({ subject: 'a', destinations: [{ subject: 'b', weight: 20 }] })).toBe(80);
  });
});

describe('the tester', () => {
  it('puts wildcards where the destination refers to them', () => {
    const mapping = { subject: 'orders.*.*', destinations: [{ subject: 'eu.$2.{{wildcard(1)}}', weight: 100 }] };
    expect(applyMapping(mapping, 'orders.paid.7')).toEqual([{ subject: 'eu.7.paid', weight: 100, cluster: null }]);
    expect(applyMapping(mapping, 'orders.paid')).toBeNull();
    expect(applyMapping(mapping, 'orders.paid.7.x')).toBeNull();
  });
  it('takes the rest of the subject along', () => {
    expect(applyMapping({ subject: 'a.>', destinations: [{ subject: 'b.>', weight: 100 }] }, 'a.x.y')?.[0]?.subject).toBe('b.x.y');
    expect(applyMapping({ subject: 'a.>', destinations: [{ subject: 'b.>', weight: 100 }] }, 'a')).toBeNull();
  });
});
