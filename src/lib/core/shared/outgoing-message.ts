/*
 * The closed lists of outgoing messages. Without zod, so that tables may import them.
 */

/** The recipients of a message: selected students, invited students, members of a group, registrants of an event. */
export const OUTGOING_MESSAGE_KINDS = ['students', 'invitations', 'announcement', 'event'] as const
export type OutgoingMessageKind = (typeof OUTGOING_MESSAGE_KINDS)[number]

/** `scheduled` until its sending time; a recalled message sends nothing more. */
export const OUTGOING_MESSAGE_STATES = ['draft', 'held', 'scheduled', 'sending', 'sent', 'recalled'] as const
export type OutgoingMessageState = (typeof OUTGOING_MESSAGE_STATES)[number]

/**
 * The email to one recipient: `sent` was accepted by the mail server, `delivered` was confirmed by the recipient's
 * server (RFC 3464), `bounced` was refused because of the address, `failed` for another reason.
 */
export const RECIPIENT_STATES = ['planned', 'queued', 'sent', 'delivered', 'bounced', 'failed', 'recalled'] as const

/** The kind of object that the message is about, if any. */
export const MESSAGE_OBJECTS = ['group', 'course', 'workshop'] as const
