import type { JobList } from '#lib/core/jobs/jobs.ts'
import { removeExpiredChatExports, runChatExport } from './export/export.ts'
import { purgeChatFiles, sweepUnsentFiles } from './file/files.ts'
import { notifyOfMessages } from './notify-members/notify-members.ts'
import { emailUnread } from './notify-members/unread-email.ts'
import { deleteOldMessages } from './retention/retention.ts'
import { removeUnsentMessages, sendScheduled } from './scheduled/send-scheduled.ts'

export const conversationJobs: JobList = {
  'chat.notify': (job) => notifyOfMessages(job),
  'chat.emailUnread': (job) => emailUnread(job),
  'chat.sendScheduled': (job) => sendScheduled(job),
  'chat.removeUnsent': { run: () => removeUnsentMessages(), cron: '37 3 * * *' },
  'chat.export': (job, run) => runChatExport(job, run),
  'chat.removeExports': { run: () => removeExpiredChatExports(), cron: '41 * * * *' },
  'chat.deleteOldMessages': { run: () => deleteOldMessages(), cron: '11 2 * * *' },
  'chat.purgeFiles': purgeChatFiles,
  'chat.sweepFiles': { run: () => sweepUnsentFiles(), cron: '26 3 * * *' },
}
