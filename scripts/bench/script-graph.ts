import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { init, parse } from 'es-module-lexer'

/** Built scripts, by their path on the server. */
export interface Scripts {
  /** Bytes of gzip of a script; 0 for a path that is none of ours. */
  sizeOf(pathname: string): number
  /** Paths that a page's HTML makes the browser fetch before anybody touches it, with their static imports. */
  neededBy(html: string): Set<string>
}

/** Bytes of gzip of the scripts that stand in the HTML itself. */
export function inlineSize(html: string): number {
  return inlineScripts(html).reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0)
}

/** Reads the client half of a build. */
export async function readScripts(client: string): Promise<Scripts> {
  await init
  const fileOf = (pathname: string) => path.join(client, decodeURIComponent(pathname))
  const follow = (pathname: string, found: Set<string>) => {
    if (found.has(pathname) || !fs.existsSync(fileOf(pathname))) return
    found.add(pathname)
    for (const one of staticImports(fs.readFileSync(fileOf(pathname), 'utf8'))) follow(resolved(one, pathname), found)
  }
  return {
    sizeOf: (pathname) =>
      fs.existsSync(fileOf(pathname)) ? gzipSync(fs.readFileSync(fileOf(pathname)), { level: 9 }).length : 0,
    neededBy(html) {
      const found = new Set<string>()
      const inline = inlineScripts(html).flatMap(staticImports)
      for (const one of [...named(html), ...inline]) follow(resolved(one, '/'), found)
      return found
    },
  }
}

// Islands that wait for a click are none of the first visit's; all others fetch by themselves.
const UNASKED = new Set(['load', 'idle', 'visible', 'only', 'media'])

function named(html: string): string[] {
  const tags = html.match(/<(script|link|astro-island)\b[^>]*>/g) ?? []
  return tags.flatMap((tag) => {
    if (tag.startsWith('<script')) return attribute(tag, 'src')
    if (tag.startsWith('<link')) return tag.includes('modulepreload') ? attribute(tag, 'href') : []
    const [when = ''] = attribute(tag, 'client')
    const urls = ['component-url', 'renderer-url', 'before-hydration-url'].flatMap((name) => attribute(tag, name))
    return UNASKED.has(when) ? urls : []
  })
}

function attribute(tag: string, name: string): string[] {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value ? [value] : []
}

function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].flatMap(([, attributes = '', code = '']) =>
    code.trim() === '' || /\ssrc=|type="application\//.test(attributes) ? [] : [code],
  )
}

function staticImports(code: string): string[] {
  return parse(code)[0].flatMap((one) => (one.type === 'static' || one.type === 'reexport-star' ? [one.specifier] : []))
}

function resolved(specifier: string, from: string): string {
  return new URL(specifier, `http://x${from}`).pathname
}
