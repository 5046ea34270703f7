import { config } from '../config/config.ts'
import { log, withoutQueryValues } from '../log.ts'

type Sentry = typeof import('@sentry/astro')

let loading: Promise<Sentry> | undefined

/** Sends a bug to the error service when a DSN is configured. User content is removed first. */
export function reportServerError(error: unknown, requestId: string): void {
  if (!config.sentryDsn) return
  loading ??= loadSentry(config.sentryDsn)
  loading
    .then((sentry) => sentry.captureException(withoutQueryValues(error), { tags: { requestId } }))
    .catch((cause: unknown) => log.warn({ err: cause, requestId }, 'a bug could not be reported'))
}

async function loadSentry(dsn: string): Promise<Sentry> {
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
