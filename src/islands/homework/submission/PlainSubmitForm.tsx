import { Button } from '#islands/ui/Button.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { AnswerFiles } from './AnswerFiles.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { storedFileItem } from './file-item.ts'
import type { SubmissionProps } from './submission-props.ts'

interface Props {
  own: SubmissionProps
  /** Download addresses by file id. */
  downloads: ReadonlyMap<string, string | null>
  /** The server's refusal of a form that was sent without scripts, with the text that was typed. */
  refusal: { message: string; text: string } | null
  locale: Locale
  t: Translate
}

/** The answer form as rendered by the server. It works without scripts; `SubmitForm` replaces it on first use. */
export function PlainSubmitForm({ own, downloads, refusal, locale, t }: Props) {
  const items = own.files.map((file) => ({ ...storedFileItem(file), download: downloads.get(file.id) ?? null }))
  return (
    <AnswerForm
      own={own}
      t={t}
      field={{ defaultValue: refusal?.text ?? own.text }}
      notice={
        refusal?.message && (
          <p role="alert" className="field-error">
            {refusal.message}
          </p>
        )
      }
      files={
        <AnswerFiles own={own} items={items} refused={[]} add={null} locale={locale} t={t}>
          <p hidden data-with-script="" className="flex flex-wrap gap-2">
            {own.record && (
              <Button small data-record="">
                {t(`homework:record.plain.${own.record}`)}
              </Button>
            )}
            <Button small data-add="">
              {t('homework:form.add')}
            </Button>
          </p>
          <noscript>
            <p className="field-hint">{t('homework:form.noScript')}</p>
          </noscript>
        </AnswerFiles>
      }
    />
  )
}
