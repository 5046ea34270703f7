import type { JobList } from '#lib/core/jobs/jobs.ts'
import { purgeChatFiles, sweepUnsentFiles } from './file/files.ts'
import { notifyOfMessages } from './inform/inform.ts'
import { emailUnread } from './inform/unread-email.ts'

export const conversationJobs: JobList = {
  'chat.notify': (job) => notifyOfMessages(job),
  'chat.emailUnread': (job) => emailUnread(job),
  'chat.purgeFiles': purgeChatFiles,
  'chat.sweepFiles': { run: () => sweepUnsentFiles(), cron: '26 3 * * *' },
}
