import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** No violation that axe can find on the page as it is now, dialogs included. Names rule and elements when it fails. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(RULES)
    // All at once in the page itself: by far faster, but blind to what is in frames.
    .setLegacyMode(page.frames().length === 1)
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}
