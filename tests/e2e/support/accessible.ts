import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

/** Expects no axe violations on the current page, dialogs included. The failure names rules and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = page.frames().length === 1 ? await checkDocument(page) : await checkFrames(page)
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

const fromAxeBuilder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
let axeSource: string | undefined

// AxeBuilder adds the source of axe, which is not minified, before each check: this takes longer than the check.
async function checkDocument(page: Page): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    axeSource ??= readFileSync(fromAxeBuilder.resolve('axe-core/axe.min.js'), 'utf8')
    await page.evaluate(axeSource)
  }
  return page.evaluate(async (runOnly) => {
    // A part that appears or disappears has a contrast between those of its states.
    const fading = document
      .getAnimations()
      .filter(
        ({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
      )
    await Promise.allSettled(fading.map(({ finished }) => finished))
    const { violations } = await Reflect.get(window, 'axe').run(document, { runOnly, resultTypes: ['violations'] })
    return violations
  }, RULES)
}

async function checkFrames(page: Page): Promise<Violations> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(RULES)
    .analyze()
  return violations
}
