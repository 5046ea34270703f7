import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const LUCIDE_ICON = fileURLToPath(new URL('../src/layouts/parts/lucide-icon.ts', import.meta.url))

/**
 * Replaces computations of Astro and its packages that are repeated for each page with constant results: see
 * docs/decisions/159.
 */
export const renderPlugins: Plugin[] = [
  {
    name: 'icons-as-text',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === '../createLucideIcon' && importer?.includes('/@lucide/astro/') ? LUCIDE_ICON : undefined,
  },
  {
    name: 'hash-inline-code-once',
    transform: {
      filter: { id: /\/astro\/dist\/core\/encryption\.js$/ },
      handler: (code) => replaced(code, 'async function generateCspDigest(', `${DIGESTS}async function makeCspDigest(`),
    },
  },
  {
    name: 'import-pages-once',
    applyToEnvironment: (environment) => environment.name !== 'client',
    renderChunk(code, { isEntry }) {
      return isEntry ? { code: `${LOAD_ONCE}${code.split('\n').map(loadingOnce).join('\n')}`, map: null } : null
    },
  },
]

/** The hashes are those of the scripts and styles of the build, so their number is limited. */
const DIGESTS = `const digests = new Map();
function generateCspDigest(data, algorithm) {
  const key = algorithm + data;
  const known = digests.get(key) ?? makeCspDigest(data, algorithm);
  if (digests.size < 1000) digests.set(key, known);
  return known;
}
`

// Node resolves the specifier of an import() each time.
const PAGE_IMPORT = /^(?:var|const|let) _page\d+ = (?=\(\) => import\()/
const LOAD_ONCE = 'function loadOnce(load) { let module; return () => (module ??= load()); }\n'

function loadingOnce(line: string): string {
  const [declaration] = PAGE_IMPORT.exec(line) ?? []
  if (!declaration || !line.endsWith(';')) return line
  return `${declaration}loadOnce(${line.slice(declaration.length, -1)});`
}

function replaced(code: string, before: string, after: string) {
  if (!code.includes(before)) throw new Error(`Astro has changed: ${before} is missing, see scripts/render-plugins.ts`)
  return { code: code.replace(before, after), map: null }
}
