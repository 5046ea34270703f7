/** Read by the astro-i18next integration and by src/lib/core/i18n: one configuration for both. */
module.exports = {
  defaultLocale: 'uk',
  locales: ['uk', 'en'],
  defaultNamespace: 'shell',
  namespaces: ['shell', 'errors', 'tenant', 'user', 'student', 'course', 'billing', 'dashboard', 'mail'],
  load: ['server'],
  i18nextServer: { initAsync: false, preload: ['uk', 'en'], fallbackLng: 'en', interpolation: { escapeValue: false } },
}
