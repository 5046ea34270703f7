import type { InboxItemView } from '#lib/inbox/output-schema.ts'

/** Where an item belongs: course, group, lesson and task, separated by dots. */
export const placeOf = ({ course, groupName, lesson, task }: InboxItemView): string =>
  [course, groupName, lesson, task].filter(Boolean).join(' · ')
