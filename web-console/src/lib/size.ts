export const SIZE_UNITS = ['B', 'KB', 'MB', 'GB'] as const;
export type SizeUnit = (typeof SIZE_UNITS)[number];

const BYTES: Record<SizeUnit, number> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

export function sizeToBytes(value: number, unit: SizeUnit): number {
  return Math.round(value * BYTES[unit]);
}

/** The largest unit that needs no fraction. */
export function bytesToSize(bytes: number): { value: number; unit: SizeUnit } {
  for (const unit of ['GB', 'MB', 'KB'] as const) {
    if (bytes >= BYTES[unit] && bytes % BYTES[unit] === 0) return { value: bytes / BYTES[unit], unit };
  }
  return { value: bytes, unit: 'B' };
}
