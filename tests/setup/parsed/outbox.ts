import { getMessage as domainGetMessage, listMessages as domainListMessages } from '#lib/outbox/outbox.ts'
import { GetMessage, ListMessages } from '#lib/outbox/schema.ts'
import { parsed } from './parsed.ts'

export const getMessage = parsed(GetMessage, domainGetMessage)
export const listMessages = parsed(ListMessages, domainListMessages)
