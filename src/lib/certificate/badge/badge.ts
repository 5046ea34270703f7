import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { type PublicCertificate, readCertificate } from '../issue/public.ts'
import { markOf } from '../rules.ts'
import { certificate } from '../table.ts'
import { BADGE_ALGORITHM, getSigningKey } from './signing-key.ts'
import { encodeStatusList, statusEntryOf } from './status-list.ts'

interface BadgeSchool {
  id: string
  subdomain: string
  name: string
}

/** The profile of a school as the issuer of badges (Open Badges 3.0). */
export function issuerProfile({ subdomain, name }: BadgeSchool) {
  return {
    '@context': CONTEXT,
    id: addressOf(subdomain, '/v1/certificate/issuer.json'),
    type: ['Profile'],
    name,
    url: addressOf(subdomain, '/'),
  }
}

const CONTEXT = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
] as const

/**
 * The Open Badges 3.0 credential of a valid certificate, signed as a JWT whose `kid` is the URL of the public key.
 * Refuses with not_found, and with gone once it is revoked, replaced or expired.
 */
export async function signBadge(school: BadgeSchool, publicId: string): Promise<string> {
  const found = await readCertificate(school.id, publicId)
  if (['revoked', 'replaced', 'expired'].includes(found.state)) throw new Refusal('gone')
  const [row] = await inTenant({ tenantId: school.id }, (tx) =>
    tx.select({ courseId: certificate.courseId }).from(certificate).where(eq(certificate.publicId, publicId)),
  )
  if (!row) throw new Refusal('not_found')
  const credential = credentialOf(school, found, row.courseId)
  const key = await getSigningKey(school.id)
  const token = new SignJWT(credential)
    .setProtectedHeader({
      alg: BADGE_ALGORITHM,
      typ: 'JWT',
      kid: addressOf(school.subdomain, `/v1/certificate/key/${key.id}.json`),
    })
    .setIssuer(credential.issuer.id)
    .setJti(credential.id)
    .setSubject(credential.credentialSubject.id)
    .setNotBefore(found.issuedAt)
  if (found.expiresAt) token.setExpirationTime(found.expiresAt)
  return token.sign(key.privateKey)
}

const statusAddressOf = ({ subdomain }: BadgeSchool, publicId: string): string =>
  addressOf(subdomain, `/v1/certificate/${publicId}/status.jwt`)

/**
 * The signed Bitstring Status List of one badge, which says whether the certificate was revoked or replaced. A list of its
 * own for each badge, because a common list of revoked badges would lead to the names on them. Refuses with not_found.
 */
export async function signBadgeStatus(school: BadgeSchool, publicId: string): Promise<string> {
  const found = await readCertificate(school.id, publicId)
  const id = statusAddressOf(school, publicId)
  const key = await getSigningKey(school.id)
  const credential = {
    '@context': [CONTEXT[0]],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuerProfile(school).id,
    validFrom: found.issuedAt.toISOString(),
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: await encodeStatusList(markOf(found.state) !== null),
    },
  }
  return new SignJWT(credential)
    .setProtectedHeader({
      alg: BADGE_ALGORITHM,
      typ: 'vc+jwt',
      kid: addressOf(school.subdomain, `/v1/certificate/key/${key.id}.json`),
    })
    .setIssuer(credential.issuer)
    .setJti(id)
    .sign(key.privateKey)
}

function credentialOf(school: BadgeSchool, found: PublicCertificate, courseId: string) {
  const t = getTranslator(found.locale)
  const base = `/v1/certificate/${found.publicId}`
  const { '@context': _, ...issuer } = issuerProfile(school)
  const narrative = t('certificate:badge.criteria', { course: found.course, school: found.snapshot.school })
  return {
    '@context': [...CONTEXT],
    id: addressOf(school.subdomain, `${base}/badge.jwt`),
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: found.course,
    issuer,
    validFrom: found.issuedAt.toISOString(),
    ...(found.expiresAt ? { validUntil: found.expiresAt.toISOString() } : {}),
    credentialStatus: statusEntryOf(statusAddressOf(school, found.publicId)),
    credentialSubject: {
      id: `urn:uuid:${found.publicId}`,
      type: ['AchievementSubject'],
      identifier: [
        { type: 'IdentityObject', hashed: false, identityHash: found.name, identityType: 'name' },
        { type: 'IdentityObject', hashed: false, identityHash: found.number, identityType: 'identifier' },
      ],
      achievement: {
        id: `urn:uuid:${courseId}`,
        type: ['Achievement'],
        achievementType: 'Certificate',
        name: found.course,
        description: narrative,
        criteria: { narrative },
        image: { id: addressOf(school.subdomain, `${base}/image.png`), type: 'Image' },
        inLanguage: found.locale,
      },
    },
  }
}
