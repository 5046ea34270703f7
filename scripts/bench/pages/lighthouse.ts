import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { BROWSER_FLAGS, bringBrowser } from '../../test/browser.ts'
import { median } from '../duel.ts'
import { DOMAIN } from '../product.ts'
import type { Row, Section } from '../report.ts'
import type { Stage } from '../stage.ts'

const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const
type Category = keyof typeof GOALS
const CATEGORIES = Object.keys(GOALS) as Category[]

/** Lighthouse with its default simulated phone, the median of three runs of each public page. */
export async function lighthouseScores({ product }: Stage): Promise<Section> {
  const rows: Row[] = []
  const missed: string[] = []
  for (const path of ['/', '/login', '/register']) {
    const runs: Run[] = []
    for (let n = 0; n < 3; n++) runs.push(await look(`http://${DOMAIN}:${product.port}${path}`))
    for (const category of CATEGORIES) {
      const score = median(runs.map((run) => run.scores[category]))
      const goal = GOALS[category]
      rows.push({
        label: `${path} ${category}`,
        ours: runs.map((run) => run.scores[category]).join(' '),
        baseline: '',
        result: String(score),
        goal: `≥ ${goal}`,
        reached: score >= goal,
      })
    }
    missed.push(...new Set(runs.flatMap((run) => run.failed.map((audit) => `${path}: ${audit}`))))
  }
  const note = missed.length > 0 ? ` Audits that lowered a category: ${missed.join('; ')}.` : ''
  return { title: 'Lighthouse', note: `Mobile with simulated throttling, three runs, the median counts.${note}`, rows }
}

export interface Run {
  scores: Record<Category, number>
  failed: string[]
}

/** One Lighthouse run of a page, with the given headers. */
export async function look(address: string, extraHeaders: Record<string, string> = {}, attempts = 4): Promise<Run> {
  const chrome = await launch({ chromePath: bringBrowser(), chromeFlags: [...BROWSER_FLAGS, '--headless=new'] })
  try {
    const result = await lighthouse(address, { port: chrome.port, output: 'json', logLevel: 'error', extraHeaders })
    // On a busy machine Chromium occasionally loses the beginning of a trace.
    if (result?.lhr.runtimeError && attempts > 1) return await look(address, extraHeaders, attempts - 1)
    if (!result || result.lhr.runtimeError) throw new Error(`${address}: ${result?.lhr.runtimeError?.message}`)
    const { categories, audits } = result.lhr
    const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
    const failed = CATEGORIES.filter((category) => score(category) < GOALS[category]).flatMap((category) =>
      (categories[category]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => id),
    )
    return {
      scores: Object.fromEntries(CATEGORIES.map((category) => [category, score(category)])) as Record<Category, number>,
      failed,
    }
  } finally {
    chrome.kill()
  }
}
