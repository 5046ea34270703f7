import { z } from 'zod'

/*
 * The required and the used properties of an AchievementCredential in Open Badges 3.0 (1EdTech, data model of version 3.0)
 * with the classes that it contains; other properties are refused. In a JWT its claims repeat some of them.
 */
const Uri = z.url().or(z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/))
const DateTime = z.iso.datetime({ offset: true })

const Profile = z.strictObject({
  id: Uri,
  type: z.array(z.string()).refine((types) => types.includes('Profile')),
  name: z.string().min(1),
  url: Uri,
})

const IdentityObject = z.strictObject({
  type: z.literal('IdentityObject'),
  hashed: z.boolean(),
  identityHash: z.string().min(1),
  identityType: z.enum(['name', 'identifier', 'emailAddress', 'sourcedId', 'systemId']),
})

const Achievement = z.strictObject({
  id: Uri,
  type: z.array(z.string()).refine((types) => types.includes('Achievement')),
  achievementType: z.enum(['Certificate', 'CertificateOfCompletion', 'Course', 'Badge']),
  name: z.string().min(1),
  description: z.string().min(1),
  criteria: z.strictObject({ id: Uri.optional(), narrative: z.string().min(1).optional() }),
  image: z.strictObject({ id: Uri, type: z.literal('Image'), caption: z.string().optional() }),
  inLanguage: z.string().regex(/^[a-z]{2,4}(-[A-Za-z]{2,8})*$/),
})

const AchievementSubject = z.strictObject({
  id: Uri,
  type: z.array(z.string()).refine((types) => types.includes('AchievementSubject')),
  identifier: z.array(IdentityObject).min(1),
  achievement: Achievement,
})

export const AchievementCredential = z
  .strictObject({
    '@context': z.tuple([
      z.literal('https://www.w3.org/ns/credentials/v2'),
      z.string().regex(/^https:\/\/purl\.imsglobal\.org\/spec\/ob\/v3p0\/context-3\.0\.\d+\.json$/),
    ]),
    id: Uri,
    type: z
      .array(z.string())
      .refine((types) => types.includes('VerifiableCredential') && types.includes('OpenBadgeCredential')),
    name: z.string().min(1),
    issuer: Profile,
    validFrom: DateTime,
    validUntil: DateTime.optional(),
    credentialStatus: z.strictObject({
      id: Uri,
      type: z.literal('BitstringStatusListEntry'),
      statusPurpose: z.literal('revocation'),
      statusListIndex: z.string().regex(/^\d+$/),
      statusListCredential: Uri,
    }),
    credentialSubject: AchievementSubject,
    iss: Uri,
    jti: Uri,
    sub: Uri,
    nbf: z.int(),
    exp: z.int().optional(),
  })
  .refine(({ iss, issuer }) => iss === issuer.id, 'iss')
  .refine(({ jti, id }) => jti === id, 'jti')
  .refine(({ sub, credentialSubject }) => sub === credentialSubject.id, 'sub')
  .refine(({ nbf, validFrom }) => nbf === Math.floor(Date.parse(validFrom) / 1000), 'nbf')
  .refine(
    ({ exp, validUntil }) => (exp ?? null) === (validUntil ? Math.floor(Date.parse(validUntil) / 1000) : null),
    'exp',
  )
