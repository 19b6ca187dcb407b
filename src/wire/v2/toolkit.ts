import { OPERATION_TYPES } from '../../domain/provider.ts'
import { CountryCode } from '../formats.ts'
import { Type } from '../schema.ts'

/** Known to this generation and asked for by its clients, though nobody offers them here. */
const NOT_OFFERED = ['NAME_LOOKUP', 'USSD_DEPOSIT', 'PUSH_DEPOSIT'] as const

export const OPERATION_FILTERS: readonly string[] = [...OPERATION_TYPES, ...NOT_OFFERED]

/** The filters of active configuration and availability. */
export const ConfigurationQuery = {
  country: Type.Optional(CountryCode),
  operationType: Type.Optional(
    Type.Enum([...OPERATION_TYPES, ...NOT_OFFERED], {
      description: `only this operation; nothing is listed for ${NOT_OFFERED.join(', ')}`,
    }),
  ),
}
