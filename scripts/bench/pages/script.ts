import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { BROWSER_FLAGS, bringBrowser } from '../../test/browser.ts'
import { DOMAIN, ROOT } from '../product.ts'
import type { Row, Section } from '../report.ts'
import type { Stage } from '../stage.ts'
import { inlineSize, readScripts, type Scripts } from './script-graph.ts'

/**
 * The scripts that each page loads, by its HTML and by the requests of a real browser; the larger value is compared
 * with the goal.
 */
export async function scriptSizes(stage: Stage): Promise<Section> {
  return {
    title: 'JavaScript before interaction',
    note: 'Gzip of scripts with their static imports and of islands that hydrate automatically, including inline scripts. Left: computed from the HTML. Right: fetched by Chromium until the network was idle for three seconds. The greater value counts.',
    rows: await weighScripts(stage.product.port, pagesOf(stage)),
  }
}

/** One row per page. */
export async function weighScripts(port: number, pages: readonly Visited[]): Promise<Row[]> {
  const scripts = await readScripts(path.join(ROOT, 'dist/client'))
  const browser = await chromium.launch({ executablePath: bringBrowser(), args: BROWSER_FLAGS })
  const rows: Row[] = []
  try {
    for (const { label, subdomain, path, token, most } of pages) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      if (token) await context.addCookies([{ name: 'token', value: token, domain: `.${DOMAIN}`, path: '/' }])
      const page = await context.newPage()
      const visit = await visited(page, `http://${subdomain ? `${subdomain}.` : ''}${DOMAIN}:${port}${path}`)
      await context.close()
      rows.push(sizeRow(label, visit, scripts, most))
    }
  } finally {
    await browser.close()
  }
  return rows
}

export interface Visited {
  label: string
  subdomain: string
  path: string
  token?: string
  /** Gzipped kilobytes. */
  most: number
}

function pagesOf({ big }: Stage): Visited[] {
  const staff = { subdomain: big.subdomain, token: big.ownerToken, most: 120 }
  const student = { subdomain: 'go', token: big.studentToken, most: 120 }
  return [
    ...['/', '/login', '/register'].map((path) => ({ label: path, subdomain: '', path, most: 10 })),
    {
      label: '/workshops/register',
      path: `/workshops/register/${big.events.webinarId}`,
      subdomain: big.subdomain,
      most: 10,
    },
    { label: '/masterclass', path: `/masterclass/${big.events.masterclassId}`, subdomain: big.subdomain, most: 10 },
    { label: 'dashboard', path: '/', ...staff },
    { label: '/courses', path: '/courses', ...staff },
    { label: '/course/create', path: '/course/create', ...staff },
    { label: '/course/edit, outline', path: `/course/edit/${big.courseId}`, ...staff },
    { label: '/course/edit, a lesson', path: `/course/edit/${big.courseId}?lesson=${big.lessonId}`, ...staff },
    { label: '/storage', path: '/storage', ...staff },
    { label: '/profile, staff', path: '/profile', ...staff },
    { label: '/profile, student', path: '/profile', ...student },
    { label: '/course/view', path: `/course/view/${big.courseId}`, ...student },
  ]
}

interface Visit {
  html: string
  fetched: Set<string>
}

async function visited(page: Page, address: string): Promise<Visit> {
  const fetched = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.resourceType() === 'script' || /\.m?js$/.test(pathname)) fetched.add(pathname)
  })
  const answer = await page.goto(address, { waitUntil: 'networkidle' })
  if (answer?.status() !== 200 || page.url() !== address) {
    throw new Error(`${address} answered ${answer?.status()} at ${page.url()}`)
  }
  await page.waitForTimeout(3000)
  return { html: await answer.text(), fetched }
}

function sizeRow(label: string, { html, fetched }: Visit, scripts: Scripts, most: number): Row {
  const kilobytes = (paths: Set<string>) =>
    ([...paths].reduce((sum, path) => sum + scripts.sizeOf(path), 0) + inlineSize(html)) / 1024
  const [named, real] = [kilobytes(scripts.neededBy(html)), kilobytes(fetched)]
  const result = Math.max(named, real)
  return {
    label,
    ours: `${named.toFixed(1)} KB`,
    baseline: `${real.toFixed(1)} KB`,
    result: `${result.toFixed(1)} KB`,
    goal: `≤ ${most} KB`,
    reached: result <= most,
  }
}
