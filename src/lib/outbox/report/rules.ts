import type { ReportedRecipient } from './report-field-rules.ts'

export type ReportOutcome = 'delivered' | 'failed'

/** What a report says about an email. */
export interface ReportResult {
  outcome: ReportOutcome
  /** The address does not exist or accepts no email, rather than that the content or the sender was refused. */
  isAddressFailure: boolean
  /** The reply of the receiving server or its status; null when it was delivered. */
  reply: string | null
}

/** The parts of a report that are evaluated. */
export interface ReportParts {
  recipients: readonly ReportedRecipient[]
  subject: string
  /** A mail server has sent it, by its address. */
  isFromServer: boolean
  /** What is written for people, without the returned email. */
  text: string
}

const MAX_REPLY = 400

/**
 * The state that follows from a report about an email; null when it does not change: a delay, or a server that relayed the email
 * without reports. Each email has one recipient, and only reports about failures are sent without fields.
 */
export function resultOf({ recipients, subject, isFromServer, text }: ReportParts): ReportResult | null {
  const actions = recipients.map(actionOf)
  const failed = recipients.find((_, index) => actions[index] === 'failed')
  if (!failed && actions.some((action) => action === 'delivered' || action === 'expanded')) {
    return { outcome: 'delivered', isAddressFailure: false, reply: null }
  }
  if (!failed && (recipients.length > 0 || isNoFailure(subject, text))) return null
  const diagnostic = failed?.diagnostic || ''
  const line = diagnosticLineOf(text)
  if (!failed && !isFromServer && line === '' && !PERMANENT.test(subject)) return null
  // Some servers put no reason into the field, or only a number that says nothing.
  const isVague = !REASON.test(diagnostic) && specificityOf(statusOf(diagnostic)) < 2
  const reply = (diagnostic && !isVague ? diagnostic : line || diagnostic || failed?.status || subject).slice(
    0,
    MAX_REPLY,
  )
  const statuses = [statusOf(diagnostic), failed?.status ?? '', ...(isVague ? [statusOf(line)] : [])]
  const status = statuses.reduce((best, next) => (specificityOf(next) > specificityOf(best) ? next : best), '')
  const evidence = isVague ? `${diagnostic} ${line}` : diagnostic
  return { outcome: 'failed', isAddressFailure: concernsAddress(status, evidence), reply }
}

function actionOf({ action, status }: ReportedRecipient): string {
  if (action !== '') return action.split(/[\s(;]/)[0] ?? ''
  return status.startsWith('5') ? 'failed' : status.startsWith('2') ? 'delivered' : ''
}

/** The first extended status code of a text (RFC 3463); empty without one. */
const statusOf = (text: string): string => /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0] ?? ''

/** 0 without a status, 1 for a class such as 5.0.0, and 2 for a reason. */
function specificityOf(status: string): number {
  if (!/^[45]\.\d/.test(status)) return 0
  return /^[45]\.(?:0\.\d|\d{1,3}\.0)/.test(status) ? 1 : 2
}

/** Texts of servers about an address that does not exist, in the order of the corpora of reports. */
const UNKNOWN_ADDRESS = new RegExp(
  [
    '(?:user|recipient|account|address|mailbox|local ?part|alias|host|domain|login)(?: name)?(?: is|:)? ?(?:unknown|invalid|not found|not known|disabled|inactive)',
    '(?:unknown|invalid|nonexistent|non-existent|bad destination|inactive|undefined|illegal) (?:or illegal )?(?:local |virtual |recipient )?(?:user|recipient|account|address|alias|mailbox|local[- ]part|host|domain|login)',
    'no such (?:user|person|recipient|mailbox|account|address|alias|domain|host|local|a user|name)',
    "(?:does|do|did) ?(?:not|n't|n’t) (?:exist|have an account|have a|match|like recipient)",
    "(?:couldn't|couldn’t|could not|can't|cannot|unable to) (?:be )?(?:find|found|resolve|verify)",
    '(?:was|were|is|be) ?(?:not|n.t) (?:found|listed|a valid|a known|known|recognized|registered|an active)',
    '(?:is|has been|account) (?:disabled|suspended|deleted|inactive|deactivated|discontinued|closed)',
    'no (?:mailbox|account|user|recipient) (?:here|by that name|with|found|at)',
    'not (?:our customer|listed in|found in|a valid user|a local|on this server)',
    'unrouteable|unroutable|nxdomain|nullmx|null mx|name service error|host or domain name not found|mailbox unavailable|mailbox not found|unknownuser|recipnotfound|recipientnotfound|adr_unknown|user_unknown',
    '(?:has|have) moved|no longer (?:valid|available|in use|works|exists|active|on server)',
  ].join('|'),
  'i',
)
/** Reasons that concern the content, the sender or the space, whatever the number says. */
const OTHER_REASON =
  /spam|blocked|blacklist|blocklist|black list|denylist|policy|reputation|virus|over ?quota|quota|mailbox (?:is )?full|storage|too (?:large|big|many|long)|size|rate limit|throttl|relay|dmarc|\bspf\b|dkim|authenticat|greylist|grey-list|content|not authori[sz]ed|permission|reverse dns|\bptr\b|rdns|loop|timed? ?out|connection|sender (?:address )?rejected|disk|unsolicited|banned|prohibited|suspicious|abuse/i
const REASON = new RegExp(`${UNKNOWN_ADDRESS.source}|${OTHER_REASON.source}`, 'i')

/** The address of this installation was refused, not that of the recipient; or a name server did not answer. */
const SENDER =
  /(?:domain of |invalid |unroutable )?sender (?:address|domain|verif)|valid from:|not found, try again|at a rate|malformed or unexpected/i

function concernsAddress(status: string, text: string): boolean {
  if (/^5\.1\.[78]$/.test(status) || SENDER.test(text)) return false
  if (/recipient address rejected: access denied/i.test(text)) return true
  const isUnknown = UNKNOWN_ADDRESS.test(text)
  const isSpecific = specificityOf(status) === 2
  if (isUnknown && !/quota|mailbox (?:is )?full|\bspf\b|dmarc|dkim|blocked|spam|blacklist/i.test(text)) {
    return !isSpecific || /^[45]\.(?:1\.|2\.[01]$|4\.[134]|5\.|3\.0|7\.1$)/.test(status)
  }
  if (OTHER_REASON.test(text)) return false
  if (isSpecific) return /^5\.1\.(?!8|7)/.test(status) || status === '5.2.1' || status === '5.4.4'
  return /^(?:smtp;\s*)?(?:550|551|553)\b/.test(text.trim())
}

const DELAY =
  /warning: (?:could not|message)|delivery (?:status notification ?\()?delay|delayed|has not yet been delivered|still (?:being )?(?:trying|retried|tried|attempting)|will (?:continue to|be) re-?tr|will keep trying|will retry|no action is required/i
const SUCCESS = /successfully (?:delivered|relayed)|delivery report \(success|was delivered to|has been delivered/i
const PERMANENT =
  /giv(?:en|ing) up|permanent|undeliver|failed|failure|could ?(?:not|n.t) (?:be )?deliver|returned|rejected|expired|(?<![\d.])5\d\d[ -]|(?<![\d.])5\.\d\.\d/i

function isNoFailure(subject: string, text: string): boolean {
  if (SUCCESS.test(text) && !PERMANENT.test(text)) return true
  return DELAY.test(subject) || (DELAY.test(text) && !PERMANENT.test(`${subject}\n${text}`))
}

/** The line that says most about the reason, with the one below it. */
function diagnosticLineOf(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 200)
  let best = ''
  let most = 0
  for (const [index, line] of lines.entries()) {
    const short = line.slice(0, MAX_REPLY)
    const points =
      specificityOf(statusOf(short)) + (/(?<![\d.])[45]\d\d[ -]/.test(short) ? 2 : 0) + (REASON.test(short) ? 2 : 0)
    if (points > most) {
      most = points
      best = `${short} ${lines[index + 1]?.slice(0, MAX_REPLY) ?? ''}`.trim()
    }
  }
  return best
}
