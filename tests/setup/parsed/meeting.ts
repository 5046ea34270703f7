import { answerQuestion as domainAnswerQuestion } from '#lib/meeting/chat/actions.ts'
import { listChatMessages as domainListChatMessages } from '#lib/meeting/chat/message-pages.ts'
import { banPerson as domainBanPerson } from '#lib/meeting/chat/moderation.ts'
import { listPeople as domainListPeople } from '#lib/meeting/chat/participants.ts'
import { AnswerQuestion, BanPerson, ListChatMessages, ListPeople, SendChatMessage } from '#lib/meeting/chat/schema.ts'
import { sendChatMessage as domainSendChatMessage } from '#lib/meeting/chat/send-message.ts'
import { parsedFirst } from './parsed.ts'

export const listPeople = parsedFirst(ListPeople, domainListPeople)
export const listChatMessages = parsedFirst(ListChatMessages, domainListChatMessages)
export const banPerson = parsedFirst(BanPerson, domainBanPerson)
export const answerQuestion = parsedFirst(AnswerQuestion, domainAnswerQuestion)
export const sendChatMessage = parsedFirst(SendChatMessage, domainSendChatMessage)
