import { config } from 'zod'

// Pages are served under a policy without `unsafe-eval`. Zod would compile its object schemas by `new Function`, and
// its probe whether it may is reported as a violation by every page. See `zodWithoutEval` in astro.config.mjs.
config({ jitless: true })

export * from 'zod'
