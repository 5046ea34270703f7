import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { init, parse } from 'es-module-lexer'
import { Parser } from 'htmlparser2'

/** Built scripts, by path on the server. */
export interface Scripts {
  /** Gzipped size of a script in bytes; 0 for an unknown path. */
  sizeOf(pathname: string): number
  /**
   * Paths of the scripts that the browser loads for a page's HTML before any interaction, with their static imports.
   */
  neededBy(html: string): Set<string>
}

/** Gzipped size in bytes of the inline scripts of an HTML page. */
export function inlineSize(html: string): number {
  return inlineScripts(html).reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0)
}

/** Reads the client part of a build. */
export async function readScripts(client: string): Promise<Scripts> {
  await init
  const fileOf = (pathname: string) => path.join(client, decodeURIComponent(pathname))
  const follow = (pathname: string, found: Set<string>) => {
    if (found.has(pathname) || !fs.existsSync(fileOf(pathname))) return
    found.add(pathname)
    for (const specifier of staticImports(fs.readFileSync(fileOf(pathname), 'utf8')))
      follow(resolved(specifier, pathname), found)
  }
  return {
    sizeOf: (pathname) =>
      fs.existsSync(fileOf(pathname)) ? gzipSync(fs.readFileSync(fileOf(pathname)), { level: 9 }).length : 0,
    neededBy(html) {
      const found = new Set<string>()
      const inline = inlineScripts(html).flatMap(staticImports)
      for (const specifier of [...named(html), ...inline]) follow(resolved(specifier, '/'), found)
      return found
    },
  }
}

// Islands that are loaded on click are not part of the first visit; all others are loaded automatically.
const UNASKED = new Set(['load', 'idle', 'visible', 'only', 'media'])

function named(html: string): string[] {
  return tagsOf(html).flatMap(({ name, attributes: { src, rel, href, client = '', ...more } }) => {
    if (name === 'script') return src ? [src] : []
    if (name === 'link') return rel?.includes('modulepreload') && href ? [href] : []
    const urls = [more['component-url'], more['renderer-url'], more['before-hydration-url']]
    return name === 'astro-island' && UNASKED.has(client) ? urls.filter((url) => url !== undefined) : []
  })
}

function inlineScripts(html: string): string[] {
  return tagsOf(html).flatMap(({ name, attributes: { src, type = '' }, code }) =>
    name !== 'script' || src || type.startsWith('application/') || code.trim() === '' ? [] : [code],
  )
}

interface Tag {
  name: string
  attributes: Record<string, string>
  /** Source text of a script. */
  code: string
}

function tagsOf(html: string): Tag[] {
  const tags: Tag[] = []
  let script: Tag | null = null
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const tag = { name, attributes, code: '' }
      tags.push(tag)
      script = name === 'script' ? tag : null
    },
    ontext: (text) => {
      if (script) script.code += text
    },
    onclosetag: () => {
      script = null
    },
  })
  parser.end(html)
  return tags
}

function staticImports(code: string): string[] {
  return parse(code)[0].flatMap((imported) =>
    imported.type === 'static' || imported.type === 'reexport-star' ? [imported.specifier] : [],
  )
}

function resolved(specifier: string, from: string): string {
  return new URL(specifier, `http://x${from}`).pathname
}
