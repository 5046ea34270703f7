import type { QuestionContent } from '#lib/quiz/question/schema.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { ChoiceFields, TrueFalseFields } from './ChoiceFields.tsx'
import { EssayFields } from './EssayFields.tsx'
import { FileUploadFields } from './FileUploadFields.tsx'
import { GapFields } from './GapFields.tsx'
import { HotspotFields } from './HotspotFields.tsx'
import { MatchingFields, OrderingFields } from './MatchingFields.tsx'
import { NumberFields } from './NumberFields.tsx'
import { ScaleFields } from './ScaleFields.tsx'
import { ShortTextFields } from './TextFields.tsx'

/** The fields that are specific to the type of the question. */
export function TypeFields({ content, ...props }: FieldsProps<QuestionContent>) {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return <ChoiceFields content={content} {...props} />
    case 'trueFalse':
      return <TrueFalseFields content={content} {...props} />
    case 'shortText':
      return <ShortTextFields content={content} {...props} />
    case 'number':
      return <NumberFields content={content} {...props} />
    case 'essay':
      return <EssayFields content={content} {...props} />
    case 'fileUpload':
      return <FileUploadFields content={content} {...props} />
    case 'matching':
      return <MatchingFields content={content} {...props} />
    case 'ordering':
      return <OrderingFields content={content} {...props} />
    case 'gapText':
    case 'gapSelect':
    case 'gapMixed':
      return <GapFields content={content} {...props} />
    case 'hotspot':
      return <HotspotFields content={content} {...props} />
    case 'scale':
      return <ScaleFields content={content} {...props} />
  }
}
