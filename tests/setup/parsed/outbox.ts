import {
  getOutgoingMessage as domainGetMessage,
  listOutgoingMessages as domainListMessages,
} from '#lib/outbox/outbox.ts'
import { GetMessage, ListOutgoingMessages } from '#lib/outbox/schema.ts'
import { parsed } from './parsed.ts'

export const getMessage = parsed(GetMessage, domainGetMessage)
export const listMessages = parsed(ListOutgoingMessages, domainListMessages)
