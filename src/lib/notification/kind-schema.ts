/*
 * The registry of notifications. A new kind is one line of NOTIFICATION_KINDS and its text `notification:title.<kind>`
 * (with `{{subject}}` and `{{count}}`) in both languages; no migration is needed. A new topic is one line of
 * NOTIFICATION_TOPICS and `notification:topic.<topic>`.
 */

export const NOTIFICATION_CHANNELS = ['inApp', 'email', 'push', 'telegram'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

export const NOTIFICATION_FREQUENCIES = ['immediate', 'hourly', 'daily', 'weekly', 'off'] as const
export type NotificationFrequency = (typeof NOTIFICATION_FREQUENCIES)[number]

/** How soon a person learns of it by default: `routine` waits for the daily email. */
export type Urgency = 'important' | 'routine'

interface TopicSettings {
  /** Whose settings show the topic. */
  audience: 'student' | 'staff' | 'manager' | 'everyone'
  urgency: Urgency
  /**
   * About something at a time, such as a session that is moved: a digest would be too late, so a person chooses between
   * at once and never. Its emails ignore quiet hours and the daily cap.
   */
  isTimeBound?: true
}

/** What a person decides about in the settings. */
export const NOTIFICATION_TOPICS = {
  homework_result: { audience: 'student', urgency: 'important' },
  homework_message: { audience: 'everyone', urgency: 'important' },
  test_result: { audience: 'student', urgency: 'important' },
  certificate: { audience: 'student', urgency: 'important' },
  chat: { audience: 'everyone', urgency: 'important' },
  mention: { audience: 'everyone', urgency: 'important' },
  schedule: { audience: 'student', urgency: 'important' },
  mentoring: { audience: 'everyone', urgency: 'important', isTimeBound: true },
  mentoring_request: { audience: 'everyone', urgency: 'important' },
  event: { audience: 'everyone', urgency: 'important', isTimeBound: true },
  event_reminder: { audience: 'everyone', urgency: 'important', isTimeBound: true },
  school_news: { audience: 'student', urgency: 'important' },
  review_queue: { audience: 'staff', urgency: 'important' },
  operation: { audience: 'staff', urgency: 'routine' },
  new_student: { audience: 'manager', urgency: 'routine' },
  sale: { audience: 'manager', urgency: 'routine' },
  plan: { audience: 'manager', urgency: 'important' },
  personal_data: { audience: 'everyone', urgency: 'important' },
} as const satisfies Record<string, TopicSettings>
export type NotificationTopic = keyof typeof NOTIFICATION_TOPICS

/** What a person is notified about, with its topic. */
export const NOTIFICATION_KINDS = {
  homework_accepted: 'homework_result',
  homework_returned: 'homework_result',
  homework_rejected: 'homework_result',
  homework_message: 'homework_message',
  homework_waiting: 'review_queue',
  quiz_reviewed: 'test_result',
  quiz_regraded: 'test_result',
  chat_message: 'chat',
  chat_mention: 'mention',
  chat_reported: 'chat',
  chat_added: 'chat',
  chat_not_sent: 'chat',
  chat_reply_held: 'chat',
  certificate_confirm: 'certificate',
  certificate_issued: 'certificate',
  certificate_reissued: 'certificate',
  certificate_revoked: 'certificate',
  certificate_requested: 'certificate',
  certificate_approved: 'certificate',
  certificate_produced: 'certificate',
  certificate_sent: 'certificate',
  certificate_received: 'certificate',
  certificate_declined: 'certificate',
  lesson_moved: 'schedule',
  homework_due_moved: 'schedule',
  test_due_moved: 'schedule',
  session_requested: 'mentoring_request',
  session_booked: 'mentoring',
  session_confirmed: 'mentoring',
  session_moved: 'mentoring',
  session_canceled: 'mentoring',
  session_reminder: 'mentoring',
  session_time_free: 'mentoring_request',
  bulk_finished: 'operation',
  captions_finished: 'operation',
  certificate_blocked: 'operation',
  chat_exported: 'operation',
  course_imported: 'operation',
  questions_imported: 'operation',
  students_imported: 'operation',
  student_reminder: 'school_news',
  automation_message: 'school_news',
  student_joined: 'new_student',
  order_paid: 'sale',
  order_charge_failed: 'sale',
  order_refunded: 'sale',
  sales_refused: 'sale',
  auto_video_missing: 'event',
  event_confirmed: 'event',
  event_pending: 'event',
  event_waitlisted: 'event',
  event_offer: 'event',
  event_declined: 'event',
  event_rescheduled: 'event',
  event_canceled: 'event',
  event_apology: 'event',
  event_day: 'event_reminder',
  event_hour: 'event_reminder',
  event_tenMinutes: 'event_reminder',
  event_startMissed: 'event_reminder',
  event_attended: 'event_reminder',
  event_leftEarly: 'event_reminder',
  event_missed: 'event_reminder',
  plan_limit80: 'plan',
  plan_limit100: 'plan',
  data_exported: 'personal_data',
} as const satisfies Record<string, NotificationTopic>
export type NotificationKind = keyof typeof NOTIFICATION_KINDS

/** Whether the notifications of a topic belong to a time; see `TopicSettings`. */
export function isTimeBound(topic: NotificationTopic): boolean {
  const settings: TopicSettings = NOTIFICATION_TOPICS[topic]
  return settings.isTimeBound === true
}

/** The topics that have a kind: only those are shown in the settings. */
export function usedTopics(): NotificationTopic[] {
  const used = new Set<NotificationTopic>(Object.values(NOTIFICATION_KINDS))
  return TOPIC_NAMES.filter((topic) => used.has(topic))
}

export const TOPIC_NAMES = Object.keys(NOTIFICATION_TOPICS) as NotificationTopic[]
export const KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[]
