import type { EncryptedColumn } from './core/secret-key/secret-key.ts'

/**
 * The columns whose values are encrypted with the key of the installation. A test requires that every purpose with which
 * stored values are encrypted is listed.
 */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  {
    table: 'user',
    column: 'totp_secret',
    purpose: 'totp',
    isIsolated: false,
    name: 'другий фактор · second factors',
  },
  {
    table: 'registration',
    column: 'join_sealed',
    purpose: 'registration link',
    isIsolated: true,
    name: 'посилання учасників подій · links of registrants',
  },
  {
    table: 'certificate_signing_key',
    column: 'private_key',
    purpose: 'certificate signing key',
    isIsolated: true,
    name: 'ключі сертифікатів · keys of certificates',
  },
  {
    table: 'automation',
    column: 'webhook_secret',
    purpose: 'automation webhook',
    isIsolated: true,
    name: 'секрети вебхуків · secrets of webhooks',
  },
  {
    table: 'automation',
    column: 'previous_webhook_secret',
    purpose: 'automation webhook',
    isIsolated: true,
    name: 'попередні секрети вебхуків · previous secrets of webhooks',
  },
  {
    table: 'busy_calendar',
    column: 'address',
    purpose: 'busy calendar',
    isIsolated: true,
    name: 'адреси календарів · addresses of calendars',
  },
  {
    table: 'fiscal_setting',
    column: 'keys',
    purpose: 'fiscal-service-keys',
    isIsolated: true,
    name: 'ключі ПРРО · keys of fiscal services',
  },
  {
    table: 'payment_provider_setting',
    column: 'keys',
    purpose: 'payment-provider-keys',
    isIsolated: true,
    name: 'ключі платіжних систем · keys of payment providers',
  },
  {
    table: 'payment',
    column: 'card_token',
    purpose: 'payment-card-token',
    isIsolated: true,
    name: 'збережені картки · saved cards',
  },
  {
    table: 'invitation_link',
    column: 'encrypted_token',
    purpose: 'invitation link',
    isIsolated: true,
    name: 'посилання-запрошення · invitation links',
  },
]
