import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import astroI18next from 'astro-i18next'
import { renderPlugins } from './scripts/render-plugins.ts'
import { FRAME_SOURCES } from './src/lib/core/shared/embed.ts'

const ZOD = fileURLToPath(new URL('./src/lib/core/shared/zod-without-eval.ts', import.meta.url))

/** In the browser `zod` is configured before any schema is created, in every module that imports it. */
const zodWithoutEval = {
  name: 'zod-without-eval',
  enforce: /** @type {const} */ ('pre'),
  applyToEnvironment: (environment) => environment.name === 'client',
  resolveId: (source, importer) => (source === 'zod' && importer !== ZOD ? ZOD : undefined),
}

/**
 * Astro inserts the style of its islands before the first of them, inside the body, where HTML allows no style element.
 * `src/styles/global.css` contains the rule instead.
 */
const noStyleInBody = {
  name: 'no-style-in-body',
  transform: {
    filter: { id: /\/astro\/dist\/runtime\/server\/scripts\.js$/ },
    handler(code) {
      const without = code.replace(/<style>\$\{ISLAND_STYLES\}<\/style>/, '')
      if (without === code) throw new Error('Astro has changed: see noStyleInBody in astro.config.mjs')
      return { code: without, map: null }
    },
  },
}

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true, bodySizeLimit: 12 * 1024 * 1024 }),
  integrations: [react(), astroI18next()],
  // Pages must not be cached, so prefetching would request each page twice.
  prefetch: false,
  // A page that replaces another one by client-side navigation is subject to the policy of the first page, which does
  // not contain the hashes of its inline styles.
  build: { inlineStylesheets: 'never' },
  vite: {
    plugins: [tailwindcss(), zodWithoutEval, noStyleInBody, ...renderPlugins],
    build: { assetsInlineLimit: (path) => (/\.[cm]?js$/.test(path) ? false : undefined) },
    // Pages of different builds are never replaced by client-side navigation: scripts and policy would not match.
    define: { 'import.meta.env.BUILD': JSON.stringify(process.env.BUILD_STAMP ?? 'unstamped') },
  },
  trailingSlash: 'ignore',
  // Login sessions are stored in the database.
  session: false,
  // Forms and JSON calls share one origin check in src/lib/core/http/origin.ts; Astro's own covers forms only.
  security: {
    checkOrigin: false,
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "font-src 'self' data: https://cdn.jsdelivr.net",
        `frame-src 'self' ${FRAME_SOURCES.join(' ')}`,
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ],
      // Islands position floating elements by style attributes; style elements have hashes.
      styleDirective: {
        // The last is the style that the flag emoji polyfill adds, where the browser lacks flags.
        hashes: ['sha256-Zrvnp8gEtYzS6olBP5cEtiHUkN6e5Ewscp5D1E2VZt4='],
        resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }],
      },
    },
  },
  devToolbar: { enabled: false },
})
