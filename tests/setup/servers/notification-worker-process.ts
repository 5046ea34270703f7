import { inTenant } from '#lib/core/db/db.ts'
import { startJobs } from '#lib/core/jobs/jobs.ts'
import { deliverEmail } from '#lib/core/mail/delivery.ts'
import { deliverDue, deliverTo } from '#lib/notification/delivery/deliver.ts'
import { notify } from '#lib/notification/notify.ts'

/*
 * A worker process for tests that kill it: runs causes (`test.cause`, which notifies a member) and the jobs that deliver
 * notifications. Prints "ready" when it runs.
 */

interface Cause {
  tenantId: string
  memberId: string
  key: string
}

await startJobs({
  'test.cause': {
    run: ({ tenantId, memberId, key }: Cause) =>
      inTenant({ tenantId }, (tx) =>
        notify(tx, {
          kind: 'homework_accepted',
          memberIds: [memberId],
          key,
          data: { subject: key },
          link: '/course/lesson/1',
        }),
      ),
    maxAttempts: 50,
    retryDelaySeconds: 1,
  },
  'mail.deliver': { run: deliverEmail, maxAttempts: 50, retryDelaySeconds: 1 },
  'notification.deliver': { run: (job: Parameters<typeof deliverTo>[0]) => deliverTo(job), maxAttempts: 1 },
})
const timer = setInterval(() => deliverDue().catch(() => {}), 200)
timer.unref()
process.stdout.write('ready\n')
