import { listInbox as domainList } from '#lib/inbox/inbox.ts'
import { ListInbox } from '#lib/inbox/schema.ts'
import { parsed } from './parsed/parsed.ts'

export const listInbox = parsed(ListInbox, domainList)
