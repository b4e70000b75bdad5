import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { TestingApi } from '../testing/api';
import { freightState } from '../testing/freight';
import { emptyState } from '../testing/seed';
import { startServer } from '../testing/server';
import { DIST, expect, test } from './console';
import { SHOTS } from './pictured/list';
import type { Shot } from './pictured/shot';

const OUT = fileURLToPath(new URL('../shots', import.meta.url));
const HEIGHT = 900;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// SHOTS=streams,stream takes these alone; AXE=0 takes pictures alone, in a third of the time.
const only = process.env.SHOTS?.split(',').filter(Boolean);
const withAxe = process.env.AXE !== '0';

/** What axe finds; colours alone where the same page was looked at in other colours before. */
async function findings(page: Page, coloursOnly: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (coloursOnly ? axe.withRules(['color-contrast']) : axe.withTags(RULES)).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(' | ')}`);
}

/** The whole page, or the whole dialog, in one window, so that what sticks to an edge stands there once. */
async function picture(page: Page, width: number, path: string): Promise<void> {
  const height = await page.evaluate(() => (document.querySelector('.dialog-inner') ?? document.documentElement).scrollHeight);
  if (height > HEIGHT) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  await page.screenshot({ path, animations: 'disabled' });
  if (height > HEIGHT) await page.setViewportSize({ width, height: HEIGHT });
}

/** Both colours of the page as it stands, in one width. */
async function look(page: Page, shot: Shot, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(200);
    await picture(page, width, `${OUT}/${shot.name}-${width}-${scheme}.png`);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect.soft(sideways, `pixels of sideways scroll, ${width}`).toBe(0);
    // What is pointed at shows a note, which is not part of the page.
    await page.mouse.move(0, 0);
    // The colours of a narrow page are those of the wide one.
    if (withAxe && (scheme === 'light' || width === 1440)) expect.soft(await findings(page, scheme === 'dark'), `axe, ${width} ${scheme}`).toEqual([]);
  }
}

function started(shot: Shot): TestingApi {
  const fresh = shot.state === 'fresh' || shot.state === 'signed-out';
  const api = new TestingApi(fresh ? emptyState() : freightState());
  if (shot.state === 'signed-out') api.state.session = false;
  shot.before?.(api);
  return api;
}

for (const shot of SHOTS) {
  if (only && !only.includes(shot.name)) continue;
  // One reading of the page serves both widths, unless what is pictured is reached in another way in each.
  const passes = shot.anew ? [[1440], [390]] : shot.wide ? [[1440]] : [[1440, 390]];
  for (const widths of passes) {
    test.describe(widths.join(' and '), () => {
      test.use({ viewport: { width: widths[0] ?? 1440, height: HEIGHT }, colorScheme: 'light', reducedMotion: 'reduce' });
      test(shot.name, async ({ page }) => {
        test.setTimeout(120_000);
        page.setDefaultTimeout(20_000);
        mkdirSync(OUT, { recursive: true });
        const api = started(shot);
        const server = await startServer(api, DIST);
        try {
          await page.goto(server.url + shot.path);
          await page.waitForLoadState('networkidle').catch(() => undefined);
          await shot.act?.(page, api);
          await page.waitForTimeout(200);
          for (const width of widths) await look(page, shot, width);
        } finally {
          await server.stop();
        }
      });
    });
  }
}
