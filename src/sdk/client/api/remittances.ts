// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { FailureReason, PaymentFailureReason } from './shared.ts'

export type RemittanceRequest = {
  /** a UUID version 4, in any letter case */
  readonly remittanceId: string
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** the wallet the money goes to, and whose it is */
  readonly recipient: {
    /** a mobile-money wallet */
    readonly type: 'MMO'
    readonly accountDetails: {
      /** a phone number as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber: string
      /** a provider code in capital letters, digits and underscores */
      readonly provider: string
    }
    readonly recipientDetails: {
      /** first name of the recipient */
      readonly firstName: string
      /** last name of the recipient */
      readonly lastName: string
    }
  }
  /** who sends the money, and why */
  readonly sender: {
    readonly transactionDetails: {
      /** the transaction in your own system */
      readonly transactionReference: string
      /**
       * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four
       * decimals
       */
      readonly originalAmount: string
      /** a currency as three capital letters (ISO 4217) */
      readonly originalCurrency: string
      /** the rate of exchange: a decimal number above 0, in quotes, such as 28.1534 */
      readonly buyFxRate: string
      /**
       * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four
       * decimals
       */
      readonly senderFees: string
      readonly purposeOfFunds:
        | 'FAMILY_SUPPORT'
        | 'MEDICAL_EXPENSES'
        | 'TUITION_FEES'
        | 'EDUCATION_SUPPORT'
        | 'GIFT_AND_OTHER_DONATIONS'
        | 'HOME_IMPROVEMENT'
        | 'DEBT_SETTLEMENT'
        | 'REAL_ESTATE'
        | 'TAXES'
        | 'SALARY'
        | 'SAVINGS'
        | 'PERSONAL_TRANSFER'
        | 'OTHER'
      readonly sourceOfFunds:
        | 'SALARY'
        | 'SAVINGS'
        | 'LOTTERY'
        | 'LOAN'
        | 'BUSINESS_INCOME'
        | 'GIFT'
        | 'OTHER'
    }
    readonly senderDetails: {
      /** first name of the sender */
      readonly firstName: string
      /** last name of the sender */
      readonly lastName: string
      /** a country as three capital letters (ISO 3166-1 alpha-3) */
      readonly nationality: string
      /** a phone number of any country, as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber: string
      readonly address: {
        /** street and number */
        readonly addressLine: string
        /** postal code */
        readonly postalCode: string
        /** city */
        readonly city: string
        /** a country as three capital letters (ISO 3166-1 alpha-3) */
        readonly country: string
      }
      readonly identification: {
        readonly type:
          | 'NATIONAL_ID'
          | 'PASSPORT'
          | 'DRIVING_LICENSE'
          | 'SOCIAL_SECURITY_ID'
          | 'RESIDENCE_PERMIT'
        /** number of the document */
        readonly number: string
      }
      readonly gender?: 'MALE' | 'FEMALE' | 'OTHER'
      /** a date that is not in the future, as year, month and day: YYYY-MM-DD */
      readonly dateOfBirth?: string
      /** the country of birth as three capital letters (ISO 3166-1 alpha-3) */
      readonly placeOfBirth?: string
      /** occupation of the sender */
      readonly occupation?: string
      readonly relationshipRecipient?:
        | 'FATHER'
        | 'MOTHER'
        | 'SON'
        | 'DAUGHTER'
        | 'BROTHER'
        | 'SISTER'
        | 'HUSBAND'
        | 'WIFE'
        | 'PARTNER'
        | 'FRIEND'
        | 'AUNT'
        | 'UNCLE'
        | 'COUSIN'
        | 'NEPHEW'
        | 'NIECE'
        | 'GRANDFATHER'
        | 'GRANDMOTHER'
        | 'GRANDSON'
        | 'GRANDDAUGHTER'
        | 'STEPCHILD'
        | 'DAUGHTER_IN_LAW'
        | 'SON_IN_LAW'
        | 'BROTHER_IN_LAW'
        | 'BORTHER_IN_LAW'
        | 'SISTER_IN_LAW'
        | 'MOTHER_IN_LAW'
        | 'GUARDIAN'
        | 'SELF'
    }
  }
  /**
   * 4 to 22 letters (a to z, without accents), digits and spaces; the customer may see it on the
   * receipt
   */
  readonly customerMessage?: string
  /** values of your own, kept with the payment; the customer never sees them */
  readonly metadata?: readonly {
    /** the value is personal data */
    readonly isPII?: boolean
    readonly [name: string]: string | boolean | undefined
  }[]
}

export type RemittanceAnswer = {
  /** as sent */
  readonly remittanceId: string
  /** the answer to this request; not the state of the payment */
  readonly status: 'ACCEPTED' | 'DUPLICATE_IGNORED' | 'REJECTED'
  /** date and time in UTC (RFC 3339) */
  readonly created?: string
  readonly failureReason?: FailureReason
}

export type RemittanceStatus = {
  /** whether the remittance exists */
  readonly status: 'FOUND' | 'NOT_FOUND'
  readonly data?: RemittanceRecord
}

export type RemittanceRecord = {
  /** as sent */
  readonly remittanceId: string
  /**
   * the state of the payment; COMPLETED and FAILED are final; ENQUEUED waits until the provider
   * works again
   */
  readonly status:
    | 'ACCEPTED'
    | 'ENQUEUED'
    | 'PROCESSING'
    | 'IN_RECONCILIATION'
    | 'COMPLETED'
    | 'FAILED'
  /** exactly as requested */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country: string
  /** the wallet the money goes to, and whose it is */
  readonly recipient: RemittanceRequest['recipient']
  /** who sends the money, and why */
  readonly sender: RemittanceRequest['sender']
  /** your company name by default */
  readonly customerMessage?: string
  /** date and time in UTC (RFC 3339) */
  readonly created: string
  /** the provider's own identifier, once the payment is COMPLETED */
  readonly providerTransactionId?: string
  readonly failureReason?: PaymentFailureReason
  /** the metadata of the request, as one object from name to value */
  readonly metadata?: {
    readonly [name: string]: string
  }
}

export type RemittanceActionAnswer = {
  /** as sent */
  readonly remittanceId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly failureReason?: FailureReason
}
