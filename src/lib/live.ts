import type { Channels } from '#lib/core/live/endpoint.ts'
import { chatChannels } from './chat/live.ts'
import { courseChannels } from './course/live.ts'
import { homeworkChannels } from './homework/live.ts'
import { notificationChannels } from './notification/live.ts'
import { quizChannels } from './quiz/live.ts'
import { storageChannels } from './storage/live.ts'

/** The channels of all modules with their permissions. */
export const channels: Channels = {
  ...courseChannels,
  ...homeworkChannels,
  ...notificationChannels,
  ...quizChannels,
  ...storageChannels,
  ...chatChannels,
}
