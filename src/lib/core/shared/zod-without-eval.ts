import { config } from 'zod'

// Pages are served under a policy without `unsafe-eval`. Zod compiles object schemas with `new Function`, and its test
// whether that is allowed is reported as a violation on every page. See `zodWithoutEval` in astro.config.mjs.
config({ jitless: true })

export * from 'zod'
