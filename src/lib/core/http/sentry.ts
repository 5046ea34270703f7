import { config } from '../config/config.ts'
import { log, withoutValues } from '../log.ts'

type Sentry = typeof import('@sentry/astro')

let loading: Promise<Sentry> | undefined

/** Sends a bug to the error service when a DSN is configured. Nothing that people wrote leaves with it. */
export function report(error: unknown, requestId: string): void {
  if (!config.sentryDsn) return
  loading ??= load(config.sentryDsn)
  loading
    .then((sentry) => sentry.captureException(withoutValues(error), { tags: { requestId } }))
    .catch((cause: unknown) => log.warn({ err: cause, requestId }, 'a bug could not be reported'))
}

async function load(dsn: string): Promise<Sentry> {
  const sentry = await import('@sentry/astro')
  sentry.init({
    dsn,
    tracesSampleRate: 1,
    sendDefaultPii: false,
    tracePropagationTargets: ['localhost', /^\/v1\//],
    beforeSend(event) {
      if (event.request) {
        delete event.request.data
        delete event.request.cookies
      }
      return event
    },
  })
  return sentry
}
