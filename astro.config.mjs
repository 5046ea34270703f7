import node from '@astrojs/node'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import astroI18next from 'astro-i18next'
import { FRAME_SOURCES } from './src/lib/core/shared/embed.ts'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true, bodySizeLimit: 12 * 1024 * 1024 }),
  integrations: [react(), astroI18next()],
  // A page behind a link is asked for when it is wanted: none of ours may be kept, so fetching early would be twice.
  prefetch: false,
  // A page that takes another's place lives under the first one's policy: what is inline there would need its hash here.
  build: { inlineStylesheets: 'never' },
  vite: {
    plugins: [tailwindcss()],
    build: { assetsInlineLimit: (path) => (/\.[cm]?js$/.test(path) ? false : undefined) },
    // Pages of two builds never take each other's place: their scripts and the first one's policy would not agree.
    define: { 'import.meta.env.BUILD': JSON.stringify(process.env.BUILD_STAMP ?? 'unstamped') },
  },
  trailingSlash: 'ignore',
  // The domain keeps its own sessions in the database.
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
      // Islands place floating things by style attributes; styles proper stay hashed.
      styleDirective: {
        // The last is the style that the flag emoji polyfill adds, where the browser lacks flags.
        hashes: ['sha256-Zrvnp8gEtYzS6olBP5cEtiHUkN6e5Ewscp5D1E2VZt4='],
        resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }],
      },
    },
  },
  devToolbar: { enabled: false },
})
