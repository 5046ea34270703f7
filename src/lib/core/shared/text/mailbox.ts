// Google ignores dots. All of these deliver what follows a plus to the address before it.
const GOOGLE = ['gmail.com', 'googlemail.com']
const WITH_TAGS = new Set([
  ...GOOGLE,
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'proton.me',
  'protonmail.com',
  'pm.me',
  'fastmail.com',
  'fastmail.fm',
  'yahoo.com',
  'zoho.com',
])

/**
 * The mailbox to which an address delivers, for limits per person: without case, and without the dots and plus tags that
 * known providers ignore. Not for sending. The same as `mailbox_of` in SQL.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at < 1 || !WITH_TAGS.has(domain)) return address
  const [untagged = ''] = address.slice(0, at).split('+', 1)
  const isGoogle = GOOGLE.includes(domain)
  const name = isGoogle ? untagged.replaceAll('.', '') : untagged
  return name === '' ? address : `${name}@${isGoogle ? 'gmail.com' : domain}`
}
