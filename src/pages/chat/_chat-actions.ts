import { z } from 'zod'
import { requestChatExport } from '#lib/chat/export/export.ts'
import { RequestChatExport } from '#lib/chat/export/schema.ts'
import { archiveConversation, leaveConversation } from '#lib/chat/membership.ts'
import { sendMessage } from '#lib/chat/message/send.ts'
import { unbanMember } from '#lib/chat/moderation/bans.ts'
import { resolveReport } from '#lib/chat/moderation/reports.ts'
import { BanMember, ResolveReport } from '#lib/chat/moderation/schema.ts'
import { addConversationParticipants } from '#lib/chat/participants.ts'
import { updatePresenceSettings } from '#lib/chat/presence/presence.ts'
import { releaseHeldReply } from '#lib/chat/scheduled/held.ts'
import { cancelScheduled } from '#lib/chat/scheduled/scheduled.ts'
import { ScheduledMessageRef } from '#lib/chat/scheduled/schema.ts'
import {
  AddParticipants,
  ConversationId,
  SendMessage,
  StartConversation,
  UpdateChatSettings,
} from '#lib/chat/schema.ts'
import { updateChatSettings } from '#lib/chat/settings.ts'
import { startConversation } from '#lib/chat/start.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FormActions } from '../_request/form-actions.ts'

const ArchiveForm = ConversationId.extend({ isArchived: z.enum(['true', 'false']) })

/** The forms of the chat; each works without scripts. */
export function chatActions(actor: Actor): FormActions {
  return {
    async start(form) {
      const input = { ...Object.fromEntries(form), memberIds: form.getAll('memberIds') }
      const { conversationId } = await startConversation(actor, StartConversation.parse(input))
      return `/chat?conversation=${conversationId}`
    },
    async send(form) {
      const { conversationId } = await sendOnce(actor, form)
      return `/chat?conversation=${conversationId}`
    },
    async saveSettings(form) {
      await updateChatSettings(actor, UpdateChatSettings.parse(Object.fromEntries(form)))
      return '/chat?view=settings&saved=1'
    },
    async savePresence(form) {
      const [sharesPresence, sharesReading] = [form.has('sharesPresence'), form.has('sharesReading')]
      await updatePresenceSettings(actor, { sharesPresence, sharesReading })
      return '/chat?view=settings&saved=1'
    },
    async archive(form) {
      const { conversationId, isArchived } = ArchiveForm.parse(Object.fromEntries(form))
      await archiveConversation(actor, { conversationId, isArchived: isArchived === 'true' })
      return isArchived === 'true' ? '/chat' : `/chat?conversation=${conversationId}`
    },
    async cancelScheduled(form) {
      const canceled = await cancelScheduled(actor, ScheduledMessageRef.parse(Object.fromEntries(form))).then(
        () => true,
        nullIfRefused,
      )
      // It has been sent in the meantime, or was canceled on another page.
      if (!canceled) throw new Refusal('conflict', { message: 'scheduled_gone' })
      return '/chat?view=scheduled'
    },
    async releaseReply(form) {
      const released = await releaseHeldReply(actor, ScheduledMessageRef.parse(Object.fromEntries(form))).then(
        () => true,
        nullIfRefused,
      )
      if (!released) throw new Refusal('conflict', { message: 'scheduled_gone' })
      return '/chat?view=scheduled'
    },
    async addParticipants(form) {
      const input = { conversationId: form.get('conversationId'), memberIds: form.getAll('memberIds') }
      const { conversationId, memberIds } = AddParticipants.parse(input)
      await addConversationParticipants(actor, { conversationId, memberIds })
      return `/chat?view=participants&within=${conversationId}`
    },
    async leave(form) {
      await leaveConversation(actor, ConversationId.parse(Object.fromEntries(form)))
      return '/chat'
    },
    async resolveReport(form) {
      await resolveReport(actor, ResolveReport.parse(Object.fromEntries(form)))
      return '/chat?view=reports'
    },
    async unban(form) {
      await unbanMember(actor, BanMember.parse(Object.fromEntries(form)))
      return '/chat?view=reports'
    },
    async export(form) {
      await requestChatExport(actor, RequestChatExport.parse(Object.fromEntries(form)))
      return '/chat?view=settings#exports'
    },
  }
}

async function sendOnce(actor: Actor, form: FormData): Promise<SendMessage> {
  const input = SendMessage.parse(Object.fromEntries(form))
  await sendMessage(actor, input)
  return input
}
