/** The commands of the first payment. The token appears as a variable only, never as a value. */
type FirstPayment = {
  readonly token: string
  readonly send: string
  readonly outcome: string
}

export function firstPayment(baseUrl: string, tokenPlaceholder: string): FirstPayment {
  const deposits = `${baseUrl.replace(/\/+$/, '')}/v2/deposits`
  return {
    token: `export MALIPO_TOKEN='${tokenPlaceholder}'`,
    // A machine that runs the service has Node; uuidgen is missing on many servers.
    send: `DEPOSIT_ID=$(node -p 'crypto.randomUUID()')

curl -sS '${deposits}' \\
  -H "Authorization: Bearer $MALIPO_TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data @- <<JSON
{
  "depositId": "$DEPOSIT_ID",
  "amount": "15",
  "currency": "ZMW",
  "payer": {
    "type": "MMO",
    "accountDetails": {
      "phoneNumber": "260763456789",
      "provider": "MTN_MOMO_ZMB"
    }
  }
}
JSON`,
    outcome: `curl -sS "${deposits}/$DEPOSIT_ID" \\
  -H "Authorization: Bearer $MALIPO_TOKEN"`,
  }
}
