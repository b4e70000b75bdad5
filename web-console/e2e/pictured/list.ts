import { ACCESS } from './access';
import { DATA } from './data';
import { ENTRY } from './entry';
import { OPERATE } from './operate';
import type { Shot } from './shot';

/** Every page of the console, in each state worth looking at. */
export const SHOTS: readonly Shot[] = [...ENTRY, ...OPERATE, ...DATA, ...ACCESS];
