import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { RENDER_REPLACEMENTS, type Replacement } from './render-replacements.ts'

const LUCIDE_ICON = fileURLToPath(new URL('../src/layouts/parts/lucide-icon.ts', import.meta.url))

/**
 * Replaces computations of Astro and its packages that are repeated for each page: see docs/decisions/159 and 331.
 */
export const renderPlugins: Plugin[] = [
  {
    name: 'icons-as-text',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === '../createLucideIcon' && importer?.includes('/@lucide/astro/') ? LUCIDE_ICON : undefined,
  },
  ...Object.entries(RENDER_REPLACEMENTS).map(
    ([file, replacements]): Plugin => ({
      name: `replace-in-${file}`,
      applyToEnvironment: (environment) => environment.name !== 'client',
      transform: {
        filter: { id: new RegExp(`/astro/dist/${file.replaceAll('.', '\\.')}$`) },
        handler: (code) => ({ code: replacements.reduce(replaceOnce, code), map: null }),
      },
    }),
  ),
  {
    name: 'import-pages-once',
    applyToEnvironment: (environment) => environment.name !== 'client',
    renderChunk(code, { isEntry }) {
      return isEntry ? { code: `${LOAD_ONCE}${code.split('\n').map(loadingOnce).join('\n')}`, map: null } : null
    },
  },
]

// Node resolves the specifier of an import() each time.
const PAGE_IMPORT = /^(?:var|const|let) _page\d+ = (?=\(\) => import\()/
const LOAD_ONCE = 'function loadOnce(load) { let module; return () => (module ??= load()); }\n'

function loadingOnce(line: string): string {
  const [declaration] = PAGE_IMPORT.exec(line) ?? []
  if (!declaration || !line.endsWith(';')) return line
  return `${declaration}loadOnce(${line.slice(declaration.length, -1)});`
}

/** A new version of Astro in which the text is missing stops the build. */
function replaceOnce(code: string, [before, after]: Replacement): string {
  if (code.split(before).length !== 2)
    throw new Error(`Astro has changed: "${before}" is not there once, see scripts/render-replacements.ts`)
  return code.replace(before, () => after)
}
