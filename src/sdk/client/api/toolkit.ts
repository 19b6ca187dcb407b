// Made from the OpenAPI document by "npm run client-types". Do not edit.

export type ActiveConfiguration = {
  /** of the account */
  readonly companyName: string
  readonly signatureConfiguration: {
    /** initiations must be signed */
    readonly signedRequestsOnly: boolean
    /** callbacks are signed */
    readonly signedCallbacks: boolean
  }
  readonly countries: readonly {
    /** a country as three capital letters (ISO 3166-1 alpha-3) */
    readonly country: string
    /** the name of the country */
    readonly displayName: {
      readonly en: string
      readonly fr: string
    }
    /** the country code of numbers */
    readonly prefix: string
    /** address of a picture (SVG) */
    readonly flag: string
    readonly providers: readonly {
      /** a provider code in capital letters, digits and underscores */
      readonly provider: string
      /** the name of the operator */
      readonly displayName: string
      /** address of a picture (PNG) */
      readonly logo: string
      /** the name under which the customer sees the payment */
      readonly nameDisplayedToCustomer: string
      readonly currencies: readonly {
        /** a currency as three capital letters (ISO 4217) */
        readonly currency: string
        /** the symbol */
        readonly displayName: string
        /** the operations enabled for the account, by type */
        readonly operationTypes: {
          readonly DEPOSIT?: DepositConfiguration
          readonly PAYOUT?: OperationConfiguration
          readonly REFUND?: OperationConfiguration
          readonly REMITTANCE?: OperationConfiguration
        }
      }[]
    }[]
  }[]
}

export type DepositConfiguration = {
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly minAmount: string
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly maxAmount: string
  /** whether amounts may have decimals */
  readonly decimalsInAmount: 'NONE' | 'TWO_PLACES'
  /**
   * whether it works now: DELAYED takes payouts, refunds and remittances into a queue, CLOSED
   * refuses everything
   */
  readonly status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
  /** where callbacks of this kind go; absent while none is set */
  readonly callbackUrl?: string
  /**
   * how the customer approves: with the PIN on the phone, with a one-time code made beforehand, or
   * on a page of the provider
   */
  readonly authType: 'PROVIDER_AUTH' | 'PREAUTH' | 'REDIRECT_AUTH'
  /** with PROVIDER_AUTH: the question comes by itself, or the customer opens it */
  readonly pinPrompt?: 'AUTOMATIC' | 'MANUAL'
  /** with PROVIDER_AUTH: a lost question can be called back */
  readonly pinPromptRevivable?: boolean
  readonly pinPromptInstructions?: CustomerInstructions
  readonly authTokenInstructions?: CustomerInstructions
}

/** what the customer does on the phone */
export type CustomerInstructions = {
  readonly channels: readonly {
    /** a code to dial */
    readonly type: 'USSD'
    /** a heading for the steps */
    readonly displayName: {
      readonly en: string
      readonly fr: string
    }
    /** a code that goes through the menus at once */
    readonly quickLink?: string
    /** the values of the variables, by name */
    readonly variables: {
      readonly [name: string]: string
    }
    /** the steps, in order, in both languages */
    readonly instructions: {
      readonly en: readonly {
        /** the sentence to show */
        readonly text: string
        /** the same with `{{name}}` in place of each variable */
        readonly template: string
      }[]
      readonly fr: readonly {
        /** the sentence to show */
        readonly text: string
        /** the same with `{{name}}` in place of each variable */
        readonly template: string
      }[]
    }
  }[]
}

export type OperationConfiguration = {
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly minAmount: string
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly maxAmount: string
  /** whether amounts may have decimals */
  readonly decimalsInAmount: 'NONE' | 'TWO_PLACES'
  /**
   * whether it works now: DELAYED takes payouts, refunds and remittances into a queue, CLOSED
   * refuses everything
   */
  readonly status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
  /** where callbacks of this kind go; absent while none is set */
  readonly callbackUrl?: string
}

/** the account's providers, by country */
export type ProviderAvailability = readonly {
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country: string
  readonly providers: readonly {
    /** a provider code in capital letters, digits and underscores */
    readonly provider: string
    /** the operations enabled for the account, each with its state */
    readonly operationTypes: {
      /**
       * OPERATIONAL works; DELAYED refuses deposits and takes everything else into a queue; CLOSED
       * refuses everything
       */
      readonly DEPOSIT?: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
      /**
       * OPERATIONAL works; DELAYED refuses deposits and takes everything else into a queue; CLOSED
       * refuses everything
       */
      readonly PAYOUT?: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
      /**
       * OPERATIONAL works; DELAYED refuses deposits and takes everything else into a queue; CLOSED
       * refuses everything
       */
      readonly REFUND?: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
      /**
       * OPERATIONAL works; DELAYED refuses deposits and takes everything else into a queue; CLOSED
       * refuses everything
       */
      readonly REMITTANCE?: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
    }
  }[]
}[]

export type PredictionRequest = {
  /**
   * a phone number with the country code, as a person wrote it: everything that is not a digit is
   * dropped
   */
  readonly phoneNumber: string
}

/** the number as other calls take it */
export type ProviderPrediction = {
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country: string
  /** a provider code in capital letters, digits and underscores */
  readonly provider: string
  /** a phone number as digits with the country code: no plus sign, no spaces */
  readonly phoneNumber: string
}

/** keys that verify callbacks; the first one is in use now */
export type PublicKeys = readonly {
  /** the key id named in signatures */
  readonly id: string
  /** the public key as PEM */
  readonly key: string
}[]
