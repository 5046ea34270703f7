import autocannon from 'autocannon'
import type { Product } from './product.ts'
import type { School } from './schools.ts'

/** Requests of every kind, signed in and anonymous, in turn. */
export function mixture({ headersFor }: Product, school: School): { path: string; headers: Record<string, string> }[] {
  const guest = headersFor('')
  const staff = headersFor(school.subdomain, school.ownerToken)
  const student = headersFor('go', school.studentToken)
  return [
    { path: '/', headers: guest },
    { path: '/login', headers: guest },
    { path: '/register?plan=pro', headers: headersFor('', undefined, 'en') },
    { path: '/nowhere', headers: guest },
    { path: '/v1/module/user/getSessionInfo', headers: staff },
    { path: '/', headers: staff },
    { path: '/courses', headers: staff },
    { path: `/course/edit/${school.courseId}`, headers: staff },
    { path: '/profile', headers: student },
    { path: `/course/lesson/${school.lessonId}`, headers: student },
  ]
}

/** Sends a number of mixed requests, 20 at a time. Throws on errors and when most responses were refusals. */
export async function fireMixed(product: Product, school: School, amount: number): Promise<void> {
  const result = await autocannon({
    url: `http://127.0.0.1:${product.port}`,
    connections: 20,
    amount,
    requests: mixture(product, school),
  })
  const { errors, timeouts, non2xx } = result
  if (errors + timeouts > 0 || non2xx > 0.11 * amount) {
    throw new Error(`${errors} errors, ${timeouts} timeouts, ${non2xx} answers other than 2xx`)
  }
}
