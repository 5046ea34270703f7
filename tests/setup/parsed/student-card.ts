import { ListTimeline } from '#lib/student/card/schema.ts'
import { listTimeline as domainListTimeline } from '#lib/student/card/timeline.ts'
import { parsed } from './parsed.ts'

export const listTimeline = parsed(ListTimeline, domainListTimeline)
