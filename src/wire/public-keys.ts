import { Type } from './schema.ts'

export const PublicKeys = Type.Array(
  Type.Object({
    id: Type.String({
      description: 'the key id named in signatures',
      examples: ['HTTP_EC_P256_KEY:1'],
    }),
    key: Type.String({ description: 'the public key as PEM' }),
  }),
  {
    $id: 'PublicKeys',
    description: 'keys that verify callbacks; the first one is in use now',
  },
)
